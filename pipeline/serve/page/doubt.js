'use strict';
// Taught messages whose label the others contradict.

// subject: '' if the daemon has it no longer. A model keeps no subjects.
function doubtItem(doubt, subject) {
  const message = {id: doubt.message_id, key: doubt.key, user: doubt.user, taught: doubt.taught};
  const name = subject || doubt.message_id || 'a message without Message-ID';
  const open = element('button', {type: 'button', class: 'subject', 'aria-haspopup': 'dialog'}, name);
  const about = `Taught as ${doubt.taught} on ${doubt.day}${doubt.user ? `, for ${doubt.user}` : ''}; ` +
      `margin by the others ${signed(doubt.margin, 3)}` +
      (subject && doubt.message_id ? `; Message-ID ${doubt.message_id}` : '');
  open.addEventListener('click', () => openMessage(message, name, about));
  const against = doubt.against.map(
      token => element(
          'li', {}, element('span', {class: 'name'}, token.token), ` ${signed(token.contribution, 3)}`));
  return element(
      'li', {}, element('span', {class: 'what'}, open, element('span', {class: 'from'}, about)),
      element(
          'span', {class: 'teach', role: 'group', 'aria-label': 'It is'},
          ...teachButtons(message, name, 'doubt-state')),
      element('ul', {class: 'against', 'aria-label': `Tokens against ${doubt.taught}`}, ...against));
}

async function showDoubts({time, found}) {
  const recent = await ask('/recent', {after: 0});
  const subjects = new Map(recent.messages.map(({id, key, subject}) => [`${id}/${key}`, subject]));
  const {messages, doubted, expired, listed} = found;
  const rest = expired > 0 ? ` ${counted(expired)} older examples have expired from the log.` : '';
  say('doubt-state',
      `${counted(doubted)} of ${counted(messages)} labels are contradicted, as of ${timeOfDay(time)}.${
          rest}`);
  document.getElementById('doubts').replaceChildren(
      ...listed.map(doubt => doubtItem(doubt, subjects.get(`${doubt.message_id}/${doubt.key}`) ?? '')));
}

let shownSearch = null;  // when the one that is shown ended

async function updateDoubt() {
  const state = await ask('/doubt');
  document.getElementById('doubt-start').disabled = state.running;
  if (state.running) return say('doubt-state', 'Searching …');
  if (state.error) return say('doubt-state', state.error);
  if (!state.found || state.time === shownSearch) return;
  await showDoubts(state);
  shownSearch = state.time;
}

document.getElementById('doubt-start').addEventListener('click', async () => {
  try {
    await ask('/doubt', {}, {method: 'POST'});
    shownSearch = null;
    await updateDoubt();
  } catch (problem) {
    say('doubt-state', problem.message);
  }
});
