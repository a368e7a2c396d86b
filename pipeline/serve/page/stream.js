'use strict';
// The messages that were judged last, as they come.

const stream = document.getElementById('stream');
const shown = new Map();  // list items and their messages, by message
let began = null;         // when the daemon began whose changes are counted
let lastChange = 0;
let isPaused = false;
let keepsNone = false;
let announced = 0;                           // when new messages were last announced
let arrived = {Spam: 0, Ham: 0, Unsure: 0};  // since then

const nameOf = message => message.subject || '(no subject)';
const keyOf = message => `${message.model}/${message.user}/${message.id}/${message.key}`;

function itemOf(message) {
  const subject =
      element('button', {type: 'button', class: 'subject', 'aria-haspopup': 'dialog'}, nameOf(message));
  subject.addEventListener(
      'click', () => openMessage(message, nameOf(message), aboutOf(message), () => show(message)));
  return element(
      'li', {class: message.verdict.toLowerCase()},
      element(
          'span', {class: 'verdict'}, message.verdict,
          // What the model says is not why a list decided.
          element(
              'small', {},
              message.listed || message.probability.toFixed(message.probability > .995 ? 5 : 3))),
      element(
          'span', {class: 'what'}, subject, element('span', {class: 'from'}, message.from || '(no sender)')),
      element(
          'span', {class: 'when'}, timeOfDay(message.time),
          element('small', {}, message.user ? `${message.user}, ${message.protocol}` : message.protocol)),
      element(
          'span', {class: 'teach', role: 'group', 'aria-label': 'It is'},
          ...teachButtons(message, nameOf(message), 'arrived')));
}

function aboutOf(message) {
  const user = message.user ? `, for ${message.user}` : '';
  return `From ${message.from || 'nobody'}, judged at ${timeOfDay(message.time)} by ${message.protocol}${
             user}; ` +
      `Message-ID ${message.id || 'none'}; ${counted(message.bytes)} bytes`;
}

function matches(message) {
  const wanted = document.getElementById('search').value.trim().toLowerCase();
  const verdict = document.getElementById('verdict').value;
  if (verdict !== '' && message.verdict !== verdict) return false;
  return [message.from, message.subject, message.user, message.id, message.key].some(
      text => text.toLowerCase().includes(wanted));
}

function filter() {
  let matching = 0;
  for (const {item, message} of shown.values()) {
    item.hidden = !matches(message);
    if (!item.hidden) ++matching;
  }
  say('stream-state', stateOf(matching));
}

function stateOf(matching) {
  if (keepsNone) return 'This daemon keeps no messages to show: serve.recent is 0.';
  if (shown.size === 0) return 'No message was judged since the daemon began.';
  if (!['search', 'verdict'].some(id => document.getElementById(id).value.trim() !== '')) return '';
  return matching === 1 ? '1 message matches.' : `${counted(matching)} messages match.`;
}

// A message that is shown already keeps its place, and the focus if it is there. Whoever teaches it teaches
// it as it was judged before, too.
function show(message) {
  const key = keyOf(message), before = shown.get(key);
  if (before && before.message.time >= message.time) {
    before.message.taught = message.taught;
    for (const button of before.item.querySelectorAll('.teach button'))
      button.setAttribute('aria-pressed', button.textContent.toLowerCase() === message.taught);
    return;
  }
  before?.item.remove();
  shown.delete(key);
  const item = itemOf(message);
  stream.prepend(item);
  shown.set(key, {item, message});
  ++arrived[message.verdict];
}

function announce() {
  const total = arrived.Spam + arrived.Ham + arrived.Unsure;
  if (total === 0 || Date.now() - announced < 15000) return;
  announced = Date.now();
  say('arrived', `${total} new: ${arrived.Spam} Spam, ${arrived.Ham} Ham, ${arrived.Unsure} Unsure`);
  arrived = {Spam: 0, Ham: 0, Unsure: 0};
}

function startStreamOver() {
  began = null;
  lastChange = 0;
  shown.clear();
  stream.replaceChildren();
}

async function updateStream() {
  if (isPaused) return;
  const answer = await ask('/recent', {after: lastChange});
  if (began !== null && answer.since !== began) return startStreamOver();
  began = answer.since;
  lastChange = answer.last;
  for (const message of answer.messages.reverse()) show(message);
  while (shown.size > answer.kept) {
    const [oldest, {item}] = shown.entries().next().value;
    item.remove();
    shown.delete(oldest);
  }
  keepsNone = answer.kept === 0;
  filter();
  announce();
}

document.getElementById('search').addEventListener('input', filter);
document.getElementById('verdict').addEventListener('change', filter);
document.getElementById('pause').addEventListener('click', event => {
  isPaused = !isPaused;
  event.target.setAttribute('aria-pressed', isPaused);
});
