'use strict';
// The data of this page, { runs: [{ name, about, summary, groups_left_out, roc, histogram, sizes }],
// comparisons }, and its tables. Summaries and comparisons are as in JSON reports. Names are anybody's: they
// become text, never markup.

const data = JSON.parse(document.getElementById('data').textContent);
const colours = 6;

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const runColour = i => `--run${i % colours}`;

// Three digits after the point, or three that count where those would be zeros.
function digits(value) {
  if (value === null || value === undefined) return '–';
  if (value === 0 || Math.abs(value) >= 0.1) return value.toFixed(3);
  return String(Number(value.toPrecision(3)));
}
const counted = value => value.toLocaleString('en');
const percent = value => `${digits(value)} %`;

function table(head, rows) {
  const row = (cells, tag) => element('tr', {}, ...cells.map((cell, i) => {
    const content = cell instanceof Node ? cell : document.createTextNode(cell);
    return content instanceof HTMLTableCellElement ? content : element(i === 0 ? 'th' : tag, {}, content);
  }));
  return element(
      'div', {class: 'wide'},
      element(
          'table', {}, element('thead', {}, row(head, 'th')),
          element('tbody', {}, ...rows.map(cells => row(cells, 'td')))));
}

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

function showFigures() {
  const summaries = data.runs.map(run => run.summary);
  const rows = [['messages', ...summaries.map(s => counted(s.messages))]];
  summaries[0].tables.forEach((first, t) => {
    const tables = summaries.map(s => s.tables[t]);
    rows.push([element('th', {colspan: summaries.length + 1, class: 'part'}, first.name)]);
    const share = (part, rest) => `${counted(part)} of ${counted(part + rest)}`;
    rows.push(['ham called spam', ...tables.map(x => share(x.ham_as_spam, x.ham_as_ham))]);
    rows.push(['spam left in the inbox', ...tables.map(x => share(x.spam_as_ham, x.spam_as_spam))]);
    rows.push(['hm% ham called spam', ...tables.map(x => withInterval(x.hm_percent))]);
    rows.push(['sm% spam left in the inbox', ...tables.map(x => withInterval(x.sm_percent))]);
    rows.push(['lam% both, as log-odds', ...tables.map(x => withInterval(x.lam_percent))]);
    for (const [name, label] of [['precision', 'precision'], ['recall', 'recall'], ['f1', 'F1'], ['mcc', 'MCC']])
      rows.push([label, ...tables.map(x => x[name] === null ? '–' : x[name].toFixed(4))]);
    if (tables.some(x => x.expected_cost !== null))
      rows.push(['cost per message', ...tables.map(x => digits(x.expected_cost))]);
  });
  rows.push([element('th', {colspan: summaries.length + 1, class: 'part'}, 'at any threshold')]);
  rows.push(['(1−ROCA)% ham above a spam', ...summaries.map(s => withInterval(s.roc_area_above_percent))]);
  summaries[0].operating_points.forEach((point, p) => rows.push([
    `sm% at hm% ${point.hm_percent}`,
    ...summaries.map(
        s => s.operating_points[p].sm_percent === null ? '–' : percent(s.operating_points[p].sm_percent))
  ]));
  if (summaries.some(s => s.cheapest_threshold))
    rows.push(['least cost per message', ...summaries.map(s => digits(s.cheapest_threshold?.expected_cost))]);
  const probability = name => summaries.map(s => s.probabilities ? digits(s.probabilities[name]) : '–');
  rows.push(
      ['log-loss, nats', ...probability('log_loss')], ['Brier score', ...probability('brier')],
      ['calibration error', ...probability('calibration_error')]);
  const names = data.runs.map((run, i) => element('th', {}, data.runs.length === 1 ? '' : shortName(i)));
  document.getElementById('plots').append(element(
      'section', {class: 'figures'}, element('h2', {}, 'Figures'),
      table(['95 % intervals below', ...names], rows)));
}

// What tells the runs apart: paths without the folders they share.
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
  section.append(element('h2', {}, 'Compared, message by message'));
  for (const pair of data.comparisons) {
    const signed = x => (x > 0 ? '+' : '') + digits(x);
    const figure = (name, x) => !x ? [name, '–', '–', '–'] : [
      name, digits(x.first), digits(x.second),
      element(
          'td', {},
          element('span', x.low > 0 || x.high < 0 ? {class: 'sure'} : {}, signed(x.difference)),
          element('small', {}, `${signed(x.low)} … ${signed(x.high)}`))
    ];
    const split = (name, x) =>
        [name, counted(x.only_first_wrong), counted(x.only_second_wrong),
         `p = ${Number(x.p_value.toPrecision(3))}`];
    section.append(
        element(
            'p', {}, element('span', {class: 'name'}, pair.first), ' and ',
            element('span', {class: 'name'}, pair.second),
            `: ${counted(pair.messages)} messages in both; bold: the interval does not hold 0`),
        table(['95 % intervals below', 'first', 'second', 'difference'], [
          figure('(1−ROCA)%', pair.roc_area_above_percent), figure('lam%', pair.lam_percent),
          figure('hm%', pair.hm_percent), figure('sm%', pair.sm_percent),
          split('only it wrong: ham', pair.mcnemar.ham), split('only it wrong: spam', pair.mcnemar.spam),
          split('only it wrong: all', pair.mcnemar.all)
        ]));
  }
}

function showGroups() {
  const section = document.getElementById('groups');
  data.runs.forEach((run, i) => {
    if (!run.summary.groups) return;
    const parts = run.summary.groups.parts;
    section.append(
        element('h2', {}, `By ${run.summary.groups.by}${data.runs.length > 1 ? `: ${shortName(i)}` : ''}`),
        table(['', 'messages', 'hm%', 'sm%', 'lam%', '(1−ROCA)%', 'log-loss'], parts.map(part => {
          const f = part.figures;
          return [
            part.name || '(none)', counted(f.messages), digits(f.hm_percent), digits(f.sm_percent),
            digits(f.lam_percent), digits(f.roc_area_above_percent), digits(f.log_loss)
          ];
        })));
    if (run.groups_left_out > 0)
      section.append(element('p', {}, `And ${counted(run.groups_left_out)} with fewer messages.`));
  });
}

document.getElementById('licence').textContent = document.getElementById('licence-text').textContent;
showRuns();
showFigures();
showComparisons();
showGroups();
