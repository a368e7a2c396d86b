'use strict';
// What the daemon did, minute by minute, since it began or for a day.

const sum = (steps, name) => steps.reduce((total, step) => total + step[name], 0);
const share = (part, whole) => whole === 0 ? null : 100 * part / whole;
const judgedIn = step => step.spam + step.ham + step.unsure;

// hm% and sm%, if the verdicts that nobody contradicted were right.
function mistakes(steps) {
  const [lost, missed] = [sum(steps, 'lost_ham'), sum(steps, 'missed_spam')];
  const calledSpam = sum(steps, 'spam'), others = sum(steps, 'ham') + sum(steps, 'unsure');
  return {
    hm: share(lost, Math.max(0, others - missed) + lost),
    sm: share(missed, Math.max(0, calledSpam - lost) + missed)
  };
}

function showTotals(history) {
  const {steps, since} = history;
  const judged = steps.reduce((total, step) => total + judgedIn(step), 0);
  const {hm, sm} = mistakes(steps);
  const newest = steps.filter(step => step.nonzeros !== null).at(-1);
  const orNone = value => value === null ? '–' : percent(value);
  const totals = [
    ['judged', counted(judged)],
    ['Spam', counted(sum(steps, 'spam'))],
    ['Unsure', orNone(share(sum(steps, 'unsure'), judged))],
    ['taught as ham, as spam', `${counted(sum(steps, 'taught_ham'))}, ${counted(sum(steps, 'taught_spam'))}`],
    ['hm%: ham called Spam', orNone(hm)],
    ['sm%: spam not called Spam', orNone(sm)],
    ['non-zero weights', newest ? counted(newest.nonzeros) : '–'],
    ['time for a verdict', judged === 0 ? '–' : `${digits(1000 * sum(steps, 'seconds') / judged)} ms`],
    ['messages wait to be taught', counted(history.waiting)],
    ['clients connected', counted(history.connections)],
  ];
  document.getElementById('totals').replaceChildren(...totals.map(
      ([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
  const first = Math.max(since, steps.length > 0 ? steps[0].time : since);
  say('figures-since',
      `Since ${new Date(first * 1000).toLocaleString([], {
        hour12: false
      })}, for a day at most, in memory: they begin anew ` +
          'with the daemon. hm% and sm% assume that a verdict without feedback was right.');
}

const points = (steps, value) => steps.map(step => ({x: step.time, y: value(step)}))
                                     .filter(({y}) => y !== null)
                                     .map(({x, y}) => ({x, y, note: `${digits(y)} at ${timeOfDay(x)}`}));
// A minute is written once, however many lines of the grid are in it.
const minuteAt = (value, i, ticks) =>
    i > 0 && timeOfDay(ticks[i - 1].value) === timeOfDay(value) ? '' : timeOfDay(value);

// Each plot: its title, caption, axis and lines.
function plotsOf({steps, step: seconds}) {
  const soFar = steps.map((step, i) => ({time: step.time, ...mistakes(steps.slice(0, i + 1))}));
  const line = (label, paint, data) => ({label, paint, data, pointRadius: data.length < 60 ? 2 : 0});
  return [
    [
      'Messages a minute', 'By verdict. Minutes without messages are left out.',
      {title: 'messages a minute', min: 0},
      [
        line('Spam', '--run1', points(steps, step => 60 * step.spam / seconds)),
        line('Ham', '--run2', points(steps, step => 60 * step.ham / seconds)),
        line('Unsure', '--run4', points(steps, step => 60 * step.unsure / seconds))
      ]
    ],
    [
      'Unsure', 'Share of the messages of a minute that are Unsure.', {title: '% of the messages', min: 0},
      [line('Unsure', '--run4', points(steps, step => share(step.unsure, judgedIn(step))))]
    ],
    [
      'Mistakes so far', 'hm%: ham called Spam. sm%: spam not called Spam. As feedback told them.',
      {title: '%', min: 0},
      [
        line('hm%', '--run1', points(soFar, step => step.hm)),
        line('sm%', '--run0', points(soFar, step => step.sm))
      ]
    ],
    [
      'Non-zero weights', 'Counted some seconds after teaching.', {title: 'weights', whole: true},
      [line('non-zero weights', '--run0', points(steps, step => step.nonzeros))]
    ],
  ];
}

// For those who do not see the plot. As of the moment that it is opened: it does not change while it is read.
function valuesOf(title, chart) {
  const lines = chart.data.datasets, rows = new Map();  // by time
  lines.forEach(({data}, i) => {
    for (const {x, y} of data) {
      if (!rows.has(x)) rows.set(x, lines.map(() => '–'));
      rows.get(x)[i] = Number.isInteger(y) ? counted(y) : digits(y);
    }
  });
  const sorted = [...rows].sort(([a], [b]) => b - a);
  return table(
      `${title}, the newest first`, ['time', ...lines.map(line => line.label)],
      sorted.map(([time, values]) => [timeOfDay(time), ...values]));
}

function addValues(title, chart) {
  const values = element('details', {}, element('summary', {}, `Values of “${title}”`));
  values.addEventListener('toggle', () => {
    values.querySelector('.wide')?.remove();
    if (values.open) values.append(valuesOf(title, chart));
  });
  chart.canvas.closest('figure').append(values);
}

const drawn = new Map();  // charts by title

function drawPlots(history) {
  for (const [title, caption, y, lines] of plotsOf(history)) {
    const chart = drawn.get(title);
    if (chart) {
      chart.data.datasets.forEach((set, i) => set.data = lines[i].data);
      chart.update('none');
    } else {
      const added = plot(title, caption, {title: 'time', text: minuteAt}, y, lines);
      if (!added) continue;
      drawn.set(title, added);
      addValues(title, added);
    }
  }
}

async function updateFigures() {
  const history = await ask('/history');
  showTotals(history);
  if (typeof Chart === 'undefined') {
    document.getElementById('no-plots').hidden = false;
  } else {
    drawPlots(history);
  }
}
