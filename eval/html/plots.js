'use strict';
// The plots of the data that tables.js read.

// A line per run.
const perRun = (points, more = {}) =>
    data.runs.map((run, i) => ({label: shortName(i), paint: runColour(i), data: points(run), ...more}));

// 0 messages are drawn as ½: a logarithmic axis has no 0.
function drawRoc() {
  const totals = run => {
    const t = run.summary.tables[0];
    return {ham: t.ham_as_ham + t.ham_as_spam, spam: t.spam_as_ham + t.spam_as_spam};
  };
  const point = (run, lost, seen) => {
    const {ham, spam} = totals(run);
    return {
      x: 100 * Math.max(0.5, lost) / ham,
      y: 100 * Math.max(0.5, seen) / spam,
      note: `hm ${percent(100 * lost / ham)}, sm ${percent(100 * seen / spam)}`
    };
  };
  const alone = data.runs.length === 1;
  const both = run => totals(run).ham > 0 && totals(run).spam > 0;
  const lines = perRun(run => both(run) ? run.roc.map(([lost, seen]) => point(run, lost, seen)) : [])
                    .map(set => alone ? {...set, label: 'any threshold'} : set);
  const verdicts =
      perRun(
          run => both(run) ?
              [point(run, run.summary.tables[0].ham_as_spam, run.summary.tables[0].spam_as_ham)] :
              [],
          {showLine: false, pointRadius: 6, pointStyle: 'rectRot'})
          .map(set => ({...set, label: alone ? 'verdicts' : ''}));
  plot(
      'ROC near the corner',
      'Spam left in the inbox against ham lost, for every threshold. Lower left is better. The diamond is at the threshold of the verdicts. 0 messages are drawn as ½.',
      {type: 'logarithmic', title: 'hm%: ham called spam', max: 100},
      {type: 'logarithmic', title: 'sm%: spam left in the inbox', max: 100}, [...lines, ...verdicts]);
}

function drawCurves() {
  // Messages without an order of time have none.
  if (!data.runs.some(run => run.summary.curve.length > 0)) return;
  const messages = {title: 'messages', min: 0, max: Math.max(...data.runs.map(run => run.summary.messages))};
  const along = (part, figure) => perRun(
      run => run.summary.curve.filter(p => p[part][figure] !== null)
                 .map(p => ({
                        x: p.messages,
                        y: p[part][figure],
                        note: `${counted(p.messages)} messages: ${digits(p[part][figure])}`
                      })));
  const aboveZero = sets => sets.map(set => ({...set, data: set.data.filter(p => p.y > 0)}));
  plot(
      'Learning curve: (1−ROCA)%',
      'How well the scores of all messages so far are ranked; lower is better. Points without an error are not drawn.',
      messages, {type: 'logarithmic', title: '(1−ROCA)%'},
      aboveZero(along('so_far', 'roc_area_above_percent')));
  plot(
      'Log-loss by window', 'Mean log-loss of the messages since the previous point.', messages,
      {title: 'nats per message', beginAtZero: true}, along('window', 'log_loss'));
  const errors = (wrong, right, name) => perRun(
      run => run.summary.curve.map(({messages, so_far}) => {
        const of = so_far[wrong] + so_far[right];
        return {
          x: messages,
          y: so_far[wrong],
          note: `${counted(so_far[wrong])} of ${counted(of)} ${name} after ${counted(messages)} messages`
        };
      }),
      {stepped: true});
  plot(
      'Ham lost so far',
      'Number of ham called spam, cumulative: the slope is the present rate. A part that becomes steeper is drift.',
      messages, {title: 'ham called spam', beginAtZero: true, whole: true},
      errors('ham_as_spam', 'ham_as_ham', 'ham'));
  plot(
      'Spam in the inbox so far',
      'Number of spam called ham or Unsure, cumulative: most of it arrives before the filter has learned.',
      messages, {title: 'spam left in the inbox', beginAtZero: true, whole: true},
      errors('spam_as_ham', 'spam_as_spam', 'spam'));
}

function drawReliability() {
  const filled = run =>
      run.summary.probabilities ? run.summary.probabilities.reliability.filter(bin => bin.messages > 0) : [];
  const bars =
      perRun(
          run => filled(run).flatMap(
              bin =>
                  [{x: bin.mean_probability, y: bin.spam_share_low},
                   {x: bin.mean_probability, y: bin.spam_share_high}, {x: bin.mean_probability, y: NaN}]),
          {borderWidth: 1})
          .map(set => ({...set, label: ''}));
  const points = perRun(
      run => filled(run).map(bin => ({
                               x: bin.mean_probability,
                               y: bin.spam_share,
                               note: `predicted ${percent(100 * bin.mean_probability)}, observed ${
                                   percent(100 * bin.spam_share)} of ${counted(bin.messages)}`
                             })),
      {showLine: false, pointRadius: 4});
  if (!points.some(set => set.data.length > 0)) return;
  const calibrated =
      {label: '', paint: '--faint', data: [{x: 0, y: 0}, {x: 1, y: 1}], borderWidth: 1, borderDash: [4, 4]};
  plot(
      'Reliability',
      'Share of spam among the messages with a given predicted probability, with 95 % intervals. On the dashed line the probabilities are calibrated.',
      {title: 'predicted probability of spam', min: 0, max: 1}, {title: 'share that was spam', min: 0, max: 1},
      [...points, ...bars, calibrated]);
}

function drawScores() {
  // A bin without messages is drawn below the axis.
  const steps = (histogram, counts) => {
    const corners =
        counts.map((count, bin) => ({
                     x: histogram.low + bin * histogram.width,
                     y: Math.max(count, 0.5),
                     note: `${counted(count)} from ${digits(histogram.low + bin * histogram.width)}`
                   }));
    return [
      ...corners,
      {x: histogram.low + counts.length * histogram.width, y: corners[corners.length - 1].y, note: ''}
    ];
  };
  const sets = ({histogram, thresholds}) => {
    const top = Math.max(1, ...histogram.ham, ...histogram.spam);
    return [
      {label: 'ham', paint: '--run0', data: steps(histogram, histogram.ham), stepped: true, fill: 'start'},
      {label: 'spam', paint: '--run1', data: steps(histogram, histogram.spam), stepped: true, fill: 'start'},
      ...thresholds.map(({label, score}, i) => ({
                          label,
                          paint: i === 0 ? '--run2' : '--run3',
                          borderDash: i === 0 ? [2, 3] : [7, 4],
                          data: [0.5, top].map(y => ({x: score, y, note: `score ${digits(score)}`}))
                        }))
    ];
  };
  const ends = ({histogram}) =>
      ({min: histogram.low, max: histogram.low + histogram.ham.length * histogram.width});
  const choice = element(
      'select', {'aria-label': 'Result file whose scores are shown'},
      ...data.runs.map((run, i) => element('option', {value: i}, shortName(i))));
  const chart = plot(
      'Scores',
      `Number of messages by score. The lowest and the highest 0.1 % are counted in the first and last bin.${
          data.runs.some(run => run.thresholds.length > 0) ?
              ' Vertical lines: thresholds; one of a probability p is drawn at its score at the end of the stream.' :
              ''}`,
      {title: 'score', ...ends(data.runs[0])}, {type: 'logarithmic', title: 'messages', min: 0.7},
      sets(data.runs[0]), data.runs.length > 1 ? [choice] : []);
  choice.addEventListener('change', () => {
    chart.data.datasets = sets(data.runs[choice.value]).map(painted);
    showLegend(chart);
    chart.axes.x = {...chart.axes.x, ...ends(data.runs[choice.value])};
    Object.assign(chart.options.scales.x, ends(data.runs[choice.value]));
    chart.update('none');
  });
}

function drawSizes() {
  const along = run =>
      run.sizes.map(([examples, nonzeros]) => ({
                      x: examples,
                      y: nonzeros,
                      note: `${counted(examples)} examples: ${counted(nonzeros)} non-zero weights`
                    }));
  plot(
      'Sparsity', 'Number of non-zero weights after each number of examples.', {
        title: 'examples',
        min: 0,
        max: Math.max(0, ...data.runs.flatMap(run => run.sizes.map(size => size[0])))
      },
      {title: 'non-zero weights', beginAtZero: true}, perRun(along));
}

drawRoc();
drawCurves();
drawReliability();
drawScores();
drawSizes();
