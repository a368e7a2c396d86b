'use strict';
// A plot by Chart.js with its title, legend and caption. A part of it can be enlarged with the mouse or the
// keyboard.

const charts = [];

function axis(options) {
  const logarithmic = options.type === 'logarithmic';
  const isMajor = value => !logarithmic || Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
  const text = options.text ?? (value =>
      isMajor(value) ? Number(value.toPrecision(3)).toLocaleString('en', {maximumSignificantDigits: 3}) : '');
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
      ...(logarithmic || options.text ? {callback: text} : {}),
      ...(options.whole ? {precision: 0} : {})
    },
    title: {display: true, text: options.title, color: colour('--faint')},
    grid: {
      color: context => context.tick && isMajor(context.tick.value) ? rule : 'transparent',
      drawTicks: false,
      borderColor: rule
    },
  };
}

// Lines and points over two numeric axes. `paint` of a dataset is the CSS variable of its colour, which depends
// on the colour scheme. A dataset without a label is not in the legend.
function plot(title, caption, x, y, datasets, controls = []) {
  if (!datasets.some(set => set.data.length > 0)) return null;
  const canvas = element('canvas', {role: 'img', 'aria-label': `${title}: ${caption}`, tabindex: 0});
  const box = element('div', {class: 'canvas'}, canvas);
  const legend = element('div', {class: 'legend'});
  document.getElementById('plots').append(element(
      'figure', {}, element('h2', {}, title), ...controls, legend, box, element('figcaption', {}, caption)));
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
        legend: {display: false},
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
  chart.legendBox = legend;
  charts.push(chart);
  showLegend(chart);
  enlargeByMouse(chart, box);
  enlargeByKeys(chart);
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

// A button per dataset that hides and shows it: unlike Chart.js's legend, the keyboard reaches it.
function showLegend(chart) {
  const labelled = chart.data.datasets.map((set, i) => ({set, i})).filter(({set}) => set.label !== '');
  chart.legendBox.replaceChildren();
  if (labelled.length < 2) return;
  for (const {set, i} of labelled) {
    const mark = element('span', {
      class: set.borderDash ? 'mark dashed' : set.showLine ? 'mark' : 'mark point',
      style: `--colour: var(${set.paint})`
    });
    const button = element('button', {type: 'button', 'aria-pressed': true}, mark, set.label);
    button.addEventListener('click', () => {
      const shown = !chart.isDatasetVisible(i);
      chart.setDatasetVisibility(i, shown);
      button.setAttribute('aria-pressed', shown);
      chart.update('none');
    });
    chart.legendBox.append(button);
  }
}

function setRange(chart, ranges) {
  for (const [name, range] of Object.entries(ranges))
    [chart.options.scales[name].min, chart.options.scales[name].max] = range;
  chart.update('none');
}

function showAll(chart) {
  const {x, y} = chart.axes;
  setRange(chart, {x: [x.min, x.max], y: [y.min, y.max]});
}

// The rectangle that is dragged over fills the plot. A double-click shows all again.
function enlargeByMouse(chart, box) {
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
    if (event.pointerType !== 'mouse') return;
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
    const range = (name, a, b) =>
        [a, b].map(pixel => chart.scales[name].getValueForPixel(pixel)).sort((p, q) => p - q);
    setRange(chart, {x: range('x', begin.x, to.x), y: range('y', begin.y, to.y)});
  });
  chart.canvas.addEventListener('dblclick', () => showAll(chart));
}

// + and − enlarge and reduce, the arrows move, Escape shows all again.
function enlargeByKeys(chart) {
  const moves = {ArrowLeft: [-.2, 0], ArrowRight: [.2, 0], ArrowUp: [0, -.2], ArrowDown: [0, .2]};
  const factors = {'+': .7, '=': .7, '-': 1 / .7};
  chart.canvas.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') return showAll(chart);
    const move = moves[event.key], factor = factors[event.key];
    if (!move && !factor) return;
    event.preventDefault();
    const {left, right, top, bottom} = chart.chartArea;
    const around = (name, low, high, share) => {
      const middle = (low + high) / 2 + share * (high - low), half = (factor ?? 1) * (high - low) / 2;
      return [middle - half, middle + half]
          .map(pixel => chart.scales[name].getValueForPixel(pixel))
          .sort((p, q) => p - q);
    };
    const [dx, dy] = move ?? [0, 0];
    setRange(chart, {x: around('x', left, right, dx), y: around('y', top, bottom, dy)});
  });
}

// After a change of the colour scheme.
function repaint() {
  for (const chart of charts) {
    chart.data.datasets = chart.data.datasets.map(painted);
    for (const name of ['x', 'y']) {
      const {min, max} = chart.options.scales[name];
      chart.options.scales[name] = {...axis(chart.axes[name]), min, max};
    }
    chart.update('none');
  }
}

Chart.defaults.font.family = 'system-ui, sans-serif';
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
