'use strict';
// One message's explanation: each token with what it adds to the score.

const dialog = document.getElementById('message');
const signed = (value, places) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(places)}`;

// A bar from the middle, to the right for spam and to the left for ham.
function bar(value, greatest) {
  const side = value > 0 ? 'for-spam' : 'for-ham';
  const length = greatest === 0 ? 0 : Math.abs(value) / greatest * 50;
  return element(
      'span', {class: `balance ${side}`, 'aria-hidden': true}, element('span', {style: `width: ${length}%`}));
}

function tokenRows(tokens) {
  const greatest = Math.max(0, ...tokens.map(token => Math.abs(token.contribution)));
  return tokens.map(
      token =>
          [element('span', {class: 'name'}, token.token),
           element('td', {}, bar(token.contribution, greatest), signed(token.contribution, 5)),
           signed(token.weight, 4), token.value.toFixed(4), counted(token.ham), counted(token.spam)]);
}

function fieldRows(fields) {
  const sorted = Object.entries(fields).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const greatest = Math.max(0, ...sorted.map(([, sum]) => Math.abs(sum)));
  return sorted.map(([field, sum]) => [field, element('td', {}, bar(sum, greatest), signed(sum, 4))]);
}

function showExplanation(explanation, more) {
  const {verdict, probability, margin, features, weighted_features: weighted, tokens, fields, needed} =
      explanation;
  const byLists = explanation.listed ? ` by the lists (${explanation.listed})` : '';
  const lines =
      [`${verdict}${byLists}: probability ${probability.toFixed(6)}, margin ${signed(margin, 5)}; ` +
       `${counted(weighted)} of ${counted(features)} features have a weight.`];
  if (needed.text) lines.push(`${needed.text[0].toUpperCase()}${needed.text.slice(1)}.`);
  say('message-state', lines.join(' '));
  const parts = [
    table(
        'Tokens with the greatest contributions: above 0 for spam, below for ham',
        ['token', 'contribution', 'weight', 'value', 'ham', 'spam'], tokenRows(tokens)),
    table('Sums by field', ['field', 'contribution'], fieldRows(fields))
  ];
  if (more && tokens.length < weighted) {
    const all = element('button', {type: 'button'}, `Show all ${counted(weighted)} tokens`);
    all.addEventListener('click', more);
    parts.splice(1, 0, all);
  }
  document.getElementById('message-tokens').replaceChildren(...parts);
}

// find(top): the explanation of the message. An answer that another question has overtaken is not shown.
let questions = 0;
async function explainInto(find, top) {
  const question = ++questions;
  try {
    const explanation = await find(top);
    if (question === questions) showExplanation(explanation, top === 0 ? null : () => explainInto(find, 0));
  } catch (problem) {
    if (question === questions) say('message-state', `This message cannot be explained: ${problem.message}`);
  }
}

function openDialog(title, about, buttons) {
  document.getElementById('message-title').textContent = title;
  document.getElementById('message-about').textContent = about;
  document.getElementById('message-teach').replaceChildren(...buttons);
  document.getElementById('message-tokens').replaceChildren();
  say('message-state', 'Asking the daemon …');
  dialog.showModal();
  document.getElementById('message-title').focus();
}

// message: {id, key, user, taught, verdict, listed}, the last two if it was judged. on_taught as in
// teachButtons. The daemon explains by what the model says: the lists need the message, which is not kept.
function openMessage(message, title, about, onTaught) {
  openDialog(title, about, teachButtons(message, title, 'message-state', onTaught));
  const {id, key, user, model = shownModel} = message;
  explainInto(async top => {
    const explanation = await ask('/explain', {id, key, user, model, top});
    return message.listed ? {...explanation, verdict: message.verdict, listed: message.listed} : explanation;
  }, 30);
}

function openFile(file) {
  openDialog(file.name, 'A file of yours; it is not kept and not learned.', []);
  explainInto(top => ask('/explain', {top}, {method: 'POST', body: file}), 30);
}

document.getElementById('message-close').addEventListener('click', () => dialog.close());
document.getElementById('own').addEventListener('change', event => {
  if (event.target.files.length === 1) openFile(event.target.files[0]);
  event.target.value = '';
});
