'use strict';
// The data of this page and its tables. The data are { runs: [{ name, about, summary, groups_left_out, roc,
// histogram, sizes, thresholds, worst_ham, worst_spam }], comparisons }; summaries and comparisons are as in
// JSON reports. Names may be hostile: they become text, never markup.

const data = JSON.parse(document.getElementById('data').textContent);
const colours = 6;

const runColour = i => `--run${i % colours}`;

// The name of a figure, with a link to its explanation in this page.
const term = (id, name) => element('a', {href: `#${id}`}, name);

function withInterval(figure) {
  if (!figure) return element('td', {}, '–');
  return element(
      'td', {}, percent(figure.value),
      element('small', {}, `${digits(figure.low)} … ${digits(figure.high)}`));
}

function showRuns() {
  document.getElementById('runs').append(...data.runs.map(
      (run, i) => element(
          'div', {class: 'run', style: `--colour: var(${runColour(i)})`},
          element('span', {class: 'name'}, run.name), element('div', {class: 'about'}, run.about))));
}

// The rows of one contingency table, a column per run.
function verdictRows(tables) {
  const share = (part, rest) => `${counted(part)} of ${counted(part + rest)}`;
  const rows = [
    ['ham called spam', ...tables.map(x => share(x.ham_as_spam, x.ham_as_ham))],
    ['spam left in the inbox', ...tables.map(x => share(x.spam_as_ham, x.spam_as_spam))]
  ];
  if (tables.some(x => x.unsure)) {
    const unsure = name => tables.map(x => x.unsure ? counted(x.unsure[name]) : '–');
    rows.push([[term('unsure', 'Unsure'), ' among the ham'], ...unsure('ham')]);
    rows.push([[term('unsure', 'Unsure'), ' among the spam'], ...unsure('spam')]);
  }
  rows.push(
      [[term('hm', 'hm%'), ' ham called spam'], ...tables.map(x => withInterval(x.hm_percent))],
      [[term('sm', 'sm%'), ' spam left in the inbox'], ...tables.map(x => withInterval(x.sm_percent))],
      [[term('lam', 'lam%'), ' both, averaged as log-odds'], ...tables.map(x => withInterval(x.lam_percent))]);
  for (const [name, label] of [['precision', 'precision'], ['recall', 'recall'], ['f1', 'F1'], ['mcc', 'MCC']])
    rows.push([term('precision', label), ...tables.map(x => x[name] === null ? '–' : x[name].toFixed(4))]);
  if (tables.some(x => x.expected_cost !== null))
    rows.push([term('cost', 'cost per message'), ...tables.map(x => digits(x.expected_cost))]);
  return rows;
}

function showFigures() {
  const summaries = data.runs.map(run => run.summary);
  const part = name => [element('th', {colspan: summaries.length + 1, class: 'part', scope: 'rowgroup'}, name)];
  const rows = [['messages', ...summaries.map(s => counted(s.messages))]];
  summaries[0].tables.forEach(
      (first, t) => rows.push(part(first.name), ...verdictRows(summaries.map(s => s.tables[t]))));
  rows.push(part('at any threshold'));
  rows.push([
    [term('roca', '(1−ROCA)%'), ' ham scored above a spam'],
    ...summaries.map(s => withInterval(s.roc_area_above_percent))
  ]);
  summaries[0].operating_points.forEach((point, p) => rows.push([
    term('operating-point', `sm% at hm% ${point.hm_percent}`),
    ...summaries.map(
        s => s.operating_points[p].sm_percent === null ? '–' : percent(s.operating_points[p].sm_percent))
  ]));
  if (summaries.some(s => s.cheapest_threshold))
    rows.push([
      term('cost', 'least cost per message'), ...summaries.map(s => digits(s.cheapest_threshold?.expected_cost))
    ]);
  const probability = name => summaries.map(s => s.probabilities ? digits(s.probabilities[name]) : '–');
  rows.push(
      [[term('log-loss', 'log-loss'), ' nats'], ...probability('log_loss')],
      [term('brier', 'Brier score'), ...probability('brier')],
      [term('calibration', 'calibration error'), ...probability('calibration_error')]);
  const names = data.runs.map((run, i) => data.runs.length === 1 ? 'value' : shortName(i));
  document.getElementById('plots').append(element(
      'section', {class: 'figures'}, element('h2', {}, 'Figures'),
      table('Small print: 95 % intervals', ['figure', ...names], rows)));
}

// The name of a run without the folders that all runs share.
function shortName(i) {
  const names = data.runs.map(run => run.name);
  let shared = 0;
  while (names.length > 1 && names.every(name => shared < name.length && name[shared] === names[0][shared]))
    ++shared;
  const name = names[i].slice(names[i].slice(0, shared).lastIndexOf('/') + 1) || names[i];
  return name.length > 40 ? `…${name.slice(-39)}` : name;
}

function showComparisons() {
  if (data.comparisons.length === 0) return;
  const section = document.getElementById('comparisons');
  section.append(element('h2', {}, 'Comparison on the same messages'));
  for (const pair of data.comparisons) {
    const signed = x => (x > 0 ? '+' : '') + digits(x);
    const interval = x => x.low === null ? 'no interval: too few messages changed' :
                                           `${signed(x.low)} … ${signed(x.high)}`;
    const figure = (id, name, x) => !x ? [term(id, name), '–', '–', '–'] : [
      term(id, name), digits(x.first), digits(x.second),
      [
        element('span', x.low > 0 || x.high < 0 ? {class: 'sure'} : {}, signed(x.difference)),
        element('small', {}, interval(x))
      ]
    ];
    const split = (name, x) =>
        [[term('mcnemar', 'only it wrong'), `: ${name}`], counted(x.only_first_wrong),
         counted(x.only_second_wrong), `p = ${Number(x.p_value.toPrecision(3))}`];
    section.append(
        element(
            'p', {}, 'first: ', element('span', {class: 'name'}, pair.first), ', second: ',
            element('span', {class: 'name'}, pair.second), `; ${counted(pair.messages)} messages in both`),
        table('Bold: the 95 % interval of the difference excludes 0', ['figure', 'first', 'second', 'difference'], [
          figure('roca', '(1−ROCA)%', pair.roc_area_above_percent), figure('lam', 'lam%', pair.lam_percent),
          figure('hm', 'hm%', pair.hm_percent), figure('sm', 'sm%', pair.sm_percent),
          split('ham', pair.mcnemar.ham), split('spam', pair.mcnemar.spam), split('all', pair.mcnemar.all)
        ]));
  }
}

const ofRun = i => data.runs.length > 1 ? `: ${shortName(i)}` : '';

function showWorst() {
  const section = document.getElementById('worst');
  const list = (caption, messages) => table(
      caption, ['message', 'score', 'probability', 'verdict'],
      messages.map(({path, score, probability, is_wrong}) => [
        element('span', {class: 'name'}, path), digits(score), probability === null ? '–' : digits(probability),
        element('span', is_wrong ? {class: 'wrong'} : {}, is_wrong ? 'wrong' : 'right')
      ]));
  data.runs.forEach((run, i) => {
    if (run.worst_ham.length + run.worst_spam.length === 0) return;
    section.append(
        element('h2', {}, `Worst errors${ofRun(i)}`),
        element(
            'div', {class: 'pair'}, list(`Ham with the ${run.worst_ham.length} highest scores`, run.worst_ham),
            list(`Spam with the ${run.worst_spam.length} lowest scores`, run.worst_spam)));
  });
}

function showGroups() {
  const section = document.getElementById('groups');
  data.runs.forEach((run, i) => {
    if (!run.summary.groups) return;
    const {by, parts} = run.summary.groups;
    section.append(
        element('h2', {}, `By ${by}${ofRun(i)}`),
        table(
            run.groups_left_out > 0 ? `${counted(run.groups_left_out)} more with fewer messages are not listed` :
                                      `All, those with the most messages first`,
            [
              by, 'messages', term('hm', 'hm%'), term('sm', 'sm%'), term('lam', 'lam%'),
              term('roca', '(1−ROCA)%'), term('log-loss', 'log-loss')
            ],
            parts.map(({name, figures}) => [
              name || '(none)', counted(figures.messages), digits(figures.hm_percent),
              digits(figures.sm_percent), digits(figures.lam_percent), digits(figures.roc_area_above_percent),
              digits(figures.log_loss)
            ])));
  });
}

document.getElementById('licence').textContent = document.getElementById('licence-text').textContent;
showRuns();
showFigures();
showWorst();
showComparisons();
showGroups();
