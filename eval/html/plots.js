'use strict';
// The plots, by Chart.js, of the data that tables.js read.

const charts = [];

function axis(options) {
  const logarithmic = options.type === 'logarithmic';
  const isMajor = value => !logarithmic || Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
  const text = value =>
      isMajor(value) ? Number(value.toPrecision(3)).toLocaleString('en', {maximumSignificantDigits: 3}) : '';
  const rule = colour('--rule');
  return {
    type: 'linear',
    ...options,
    ticks: {
      color: colour('--faint'),
      maxRotation: 0,
      includeBounds: false,
      autoSkipPadding: 14,
      autoSkip: !logarithmic,
      ...(logarithmic ? {callback: text} : {})
    },
    title: {display: true, text: options.title, color: colour('--faint')},
    grid: {
      color: context => context.tick && isMajor(context.tick.value) ? rule : 'transparent',
      drawTicks: false,
      borderColor: rule
    },
  };
}

// Lines and points over two numeric axes. A dataset's `paint` names the colour it has in either scheme.
function plot(title, caption, x, y, datasets, controls = []) {
  if (!datasets.some(set => set.data.length > 0)) return null;
  const canvas = element('canvas', {role: 'img', 'aria-label': `${title}: ${caption}`});
  const box = element('div', {class: 'canvas'}, canvas);
  document.getElementById('plots').append(
      element('figure', {}, element('h2', {}, title), ...controls, box, element('figcaption', {}, caption)));
  const chart = new Chart(canvas, {
    type: 'scatter',
    data: {datasets: datasets.map(painted)},
    options: {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      interaction: {mode: 'nearest', intersect: false},
      scales: {x: axis(x), y: axis(y)},
      plugins: {
        legend: {
          display: datasets.filter(set => set.label !== '').length > 1,
          labels: {
            color: colour('--ink'),
            usePointStyle: true,
            boxWidth: 7,
            boxHeight: 7,
            filter: item => item.text !== ''
          }
        },
        tooltip: {
          filter: item => item.dataset.label !== '',
          callbacks: {
            label: item =>
                `${item.dataset.label}: ${item.raw.note ?? `${digits(item.raw.x)}, ${digits(item.raw.y)}`}`
          },
        },
      },
    },
  });
  chart.axes = {x, y};
  charts.push(chart);
  lookCloser(chart, box);
  return chart;
}

function painted(set) {
  const paint = colour(set.paint);
  const ends = {borderColor: paint, backgroundColor: set.fill ? `${paint}38` : paint};
  return {
    showLine: true,
    pointRadius: 0,
    pointHitRadius: 6,
    borderWidth: 1.8,
    pointStyle: 'circle',
    ...set,
    ...ends
  };
}

// With a mouse: what is dragged over fills the plot; a double-click shows all again.
function lookCloser(chart, box) {
  let from = null;
  const lens = element('div', {class: 'lens', hidden: ''});
  box.append(lens);
  const clamp = event => {
    const edge = box.getBoundingClientRect(), area = chart.chartArea;
    return {
      x: Math.min(Math.max(event.clientX - edge.left, area.left), area.right),
      y: Math.min(Math.max(event.clientY - edge.top, area.top), area.bottom)
    };
  };
  chart.canvas.addEventListener('pointerdown', event => {
    if (event.pointerType !== 'mouse' ||
        event.clientY - box.getBoundingClientRect().top < chart.chartArea.top)
      return;
    from = clamp(event);
    chart.canvas.setPointerCapture(event.pointerId);
  });
  chart.canvas.addEventListener('pointermove', event => {
    if (!from) return;
    const to = clamp(event);
    lens.hidden = false;
    Object.assign(lens.style, {
      left: `${Math.min(from.x, to.x)}px`,
      top: `${Math.min(from.y, to.y)}px`,
      width: `${Math.abs(to.x - from.x)}px`,
      height: `${Math.abs(to.y - from.y)}px`
    });
  });
  chart.canvas.addEventListener('pointerup', event => {
    if (!from) return;
    const to = clamp(event), begin = from;
    from = null;
    lens.hidden = true;
    if (Math.abs(to.x - begin.x) < 8 || Math.abs(to.y - begin.y) < 8) return;
    for (const [name, a, b] of [['x', begin.x, to.x], ['y', begin.y, to.y]]) {
      const ends = [a, b].map(pixel => chart.scales[name].getValueForPixel(pixel)).sort((p, q) => p - q);
      [chart.options.scales[name].min, chart.options.scales[name].max] = ends;
    }
    chart.update('none');
  });
  chart.canvas.addEventListener('dblclick', () => {
    for (const name of ['x', 'y'])
      Object.assign(chart.options.scales[name], {min: chart.axes[name].min, max: chart.axes[name].max});
    chart.update('none');
  });
}

// A line per run.
const perRun = (points, more = {}) =>
    data.runs.map((run, i) => ({label: shortName(i), paint: runColour(i), data: points(run), ...more}));

// Where no message was wrong, half a one stands for it: a logarithmic axis has no 0.
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
      'Each threshold: spam left in the inbox against ham lost. Lower and further left is better; a diamond is where the verdicts stand. No message at all is drawn as half a one.',
      {type: 'logarithmic', title: 'hm%: ham called spam', max: 100},
      {type: 'logarithmic', title: 'sm%: spam left in the inbox', max: 100}, [...lines, ...verdicts]);
}

function drawCurves() {
  const along = (part, figure) => run =>
      run.summary.curve.filter(p => p[part][figure] !== null)
          .map(p => ({
                 x: p.messages,
                 y: p[part][figure],
                 note: `${counted(p.messages)} messages: ${digits(p[part][figure])}`
               }));
  // A class with a handful of messages in a window says 0 or 100 %.
  const rate = (right, wrong, figure) => run => along('window', figure)(
      {summary: {curve: run.summary.curve.filter(p => p.window[right] + p.window[wrong] >= 10)}});
  const messages = {title: 'messages', min: 0, max: Math.max(...data.runs.map(run => run.summary.messages))};
  const logarithmic = sets => sets.map(set => ({...set, data: set.data.filter(p => p.y > 0)}));
  plot(
      'Learning curve: (1−ROCA)% of all so far',
      'How well the scores rank, of the stream until here. Where no pair was in the wrong order nothing is drawn.',
      messages, {type: 'logarithmic', title: '(1−ROCA)%'},
      logarithmic(perRun(along('so_far', 'roc_area_above_percent'))));
  plot(
      'Log-loss, window by window', 'What its probabilities cost, of the messages since the point before.',
      messages, {title: 'nats per message', beginAtZero: true}, perRun(along('window', 'log_loss')));
  plot(
      'Ham lost, window by window',
      'hm% of the messages since the point before, where at least ten were ham: a rise is drift.', messages,
      {title: 'hm%', beginAtZero: true}, perRun(rate('ham_as_ham', 'ham_as_spam', 'hm_percent')));
  plot(
      'Spam seen, window by window',
      'sm% of the messages since the point before, where at least ten were spam.', messages,
      {title: 'sm%', beginAtZero: true}, perRun(rate('spam_as_spam', 'spam_as_ham', 'sm_percent')));
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
                               note: `${percent(100 * bin.mean_probability)} promised, ${
                                   percent(100 * bin.spam_share)} came, of ${counted(bin.messages)}`
                             })),
      {showLine: false, pointRadius: 4});
  if (!points.some(set => set.data.length > 0)) return;
  const honest =
      {label: '', paint: '--faint', data: [{x: 0, y: 0}, {x: 1, y: 1}], borderWidth: 1, borderDash: [4, 4]};
  plot(
      'Reliability',
      'Of the messages called so likely spam, how many were; with 95 % intervals. On the line it means what it says.',
      {title: 'probability promised', min: 0, max: 1}, {title: 'share of spam that came', min: 0, max: 1},
      [...points, ...bars, honest]);
}

function drawScores() {
  // A bin without messages lies below the axis.
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
  const sets = ({histogram}) =>
      [{label: 'ham', paint: '--run0', data: steps(histogram, histogram.ham), stepped: true, fill: 'start'}, {
        label: 'spam',
        paint: '--run1',
        data: steps(histogram, histogram.spam),
        stepped: true,
        fill: 'start'
      }];
  const ends = ({histogram}) =>
      ({min: histogram.low, max: histogram.low + histogram.ham.length * histogram.width});
  const choice = element(
      'select', {'aria-label': 'whose scores'},
      ...data.runs.map((run, i) => element('option', {value: i}, shortName(i))));
  const chart = plot(
      'Scores',
      'How many messages of either class score so. The outermost thousandths are in the bins at the ends.',
      {title: 'score', ...ends(data.runs[0])}, {type: 'logarithmic', title: 'messages', min: 0.7},
      sets(data.runs[0]), data.runs.length > 1 ? [choice] : []);
  choice.addEventListener('change', () => {
    chart.data.datasets = sets(data.runs[choice.value]).map(painted);
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
      'Sparsity', 'How many weights were not zero after so many examples.', {
        title: 'examples',
        min: 0,
        max: Math.max(0, ...data.runs.flatMap(run => run.sizes.map(size => size[0])))
      },
      {title: 'non-zero weights', beginAtZero: true}, perRun(along));
}

function repaint() {
  for (const chart of charts) {
    chart.data.datasets = chart.data.datasets.map(painted);
    for (const name of ['x', 'y']) {
      const {min, max} = chart.options.scales[name];
      chart.options.scales[name] = {...axis(chart.axes[name]), min, max};
    }
    chart.options.plugins.legend.labels.color = colour('--ink');
    chart.update('none');
  }
}

Chart.defaults.font.family = 'system-ui, sans-serif';
drawRoc();
drawCurves();
drawReliability();
drawScores();
drawSizes();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
