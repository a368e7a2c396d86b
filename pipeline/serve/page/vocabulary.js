'use strict';
// The tokens of the model that have a weight, heaviest first, with how the weights changed.

const pageSize = 50;
let listed = [];           // tokens of the table
let wanted = {};           // the query they match
let seriesOf = new Map();  // points by id

const text = id => document.getElementById(id).value;

// The weights of a token over time, as a line. Told in words as well.
function spark(points) {
  if (points.length < 2) return '–';
  const [times, weights] = [points.map(point => point[0]), points.map(point => point[1])];
  const [begin, end] = [times[0], times.at(-1)], [low, high] = [Math.min(...weights), Math.max(...weights)];
  const x = time => 2 + 76 * (time - begin) / Math.max(1, end - begin);
  const y = weight => 18 - 16 * (weight - low) / Math.max(1e-9, high - low);
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
  line.setAttribute(
      'points', points.map(([time, weight]) => `${x(time).toFixed(1)},${y(weight).toFixed(1)}`).join(' '));
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const words =
      `${signed(weights[0], 4)} at ${timeOfDay(begin)}, ${signed(weights.at(-1), 4)} at ${timeOfDay(end)}`;
  for (const [name, value] of Object.entries(
           {viewBox: '0 0 80 20', class: 'spark', role: 'img', 'aria-label': words}))
    svg.setAttribute(name, value);
  svg.append(line);
  return [svg, element('small', {}, words)];
}

function drawVocabulary() {
  const greatest = Math.max(0, ...listed.map(token => Math.abs(token.weight)));
  const rows = listed.map(
      token =>
          [element('span', {class: 'name'}, token.token),
           element('td', {}, bar(token.weight, greatest), signed(token.weight, 5)),
           `${(100 * token.share).toFixed(4)} %`, counted(token.ham), counted(token.spam),
           [].concat(spark(seriesOf.get(token.id) ?? []))]);
  document.getElementById('vocabulary-table')
      .replaceChildren(table(
          'Above 0 a token speaks for spam, below for ham. ham and spam count the messages that it was learned from.',
          ['token', 'weight', 'share', 'ham', 'spam', 'over time'], rows));
}

function fillFields(fields) {
  const select = document.getElementById('field');
  if (select.options.length > 1) return;
  for (const [field, {weights}] of Object.entries(fields))
    select.append(element('option', {value: field}, `${field} (${counted(weights)})`));
}

async function updateWeights() {
  const asked = listed, ids = listed.slice(-200).map(token => token.id);
  if (ids.length === 0) return;
  const answer = await ask('/weights', {ids: ids.join(',')});
  if (listed !== asked) return;  // meanwhile somebody searched for others
  for (const {id, points, weight} of answer.tokens) {
    seriesOf.set(id, points);
    listed.find(token => token.id === id).weight = weight;
  }
  drawVocabulary();
}

async function loadVocabulary() {
  let asked = listed;
  say('vocabulary-state', 'Asking the daemon …');
  try {
    const answer = await ask('/vocab', {...wanted, skip: listed.length, top: pageSize});
    if (listed !== asked) return;  // meanwhile somebody searched for others
    fillFields(answer.fields);
    listed = asked = listed.concat(answer.tokens);
    drawVocabulary();
    document.getElementById('more').hidden = listed.length >= answer.matching;
    say('vocabulary-state',
        `${counted(listed.length)} of ${counted(answer.matching)} tokens that match; ` +
            `${counted(answer.nonzeros)} have a weight.`);
    await updateWeights();
  } catch (problem) {
    if (listed === asked) say('vocabulary-state', problem.message);
  }
}

function searchVocabulary() {
  wanted = {contains: text('contains'), field: text('field'), class: text('class')};
  listed = [];
  return loadVocabulary();
}

// When the view is opened, and each minute. Who is in the table is not disturbed.
async function updateVocabulary() {
  if (listed.length === 0) return searchVocabulary();
  if (!document.getElementById('vocabulary-table').contains(document.activeElement)) await updateWeights();
}

document.getElementById('vocabulary-form').addEventListener('submit', event => {
  event.preventDefault();
  searchVocabulary();
});
for (const id of ['field', 'class']) document.getElementById(id).addEventListener('change', searchVocabulary);
document.getElementById('more').addEventListener('click', loadVocabulary);
