'use strict';
// Which view is shown, and when it asks again.

const views = {
  messages: {update: updateStream, seconds: 2},
  doubt: {update: updateDoubt, seconds: 2},
  vocabulary: {update: updateVocabulary, seconds: 60},
  figures: {update: updateFigures, seconds: 10},
};
let current = 'messages';
let round = 0;  // of those that ask in turn, the newest goes on

const login = document.getElementById('login');

async function update(mine) {
  if (mine !== round) return;
  if (!document.hidden && login.hidden) {
    try {
      await views[current].update();
      say('state', 'Connected');
    } catch (problem) {
      say('state', problem.status === 401 ? 'The daemon needs the token' : `Trouble: ${problem.message}`);
    }
  }
  setTimeout(() => update(mine), views[current].seconds * 1000);
}

function showView(focus) {
  const name = location.hash.slice(1);
  if (name === 'main') return;
  current = name in views ? name : 'messages';
  for (const view of document.querySelectorAll('.view')) view.hidden = view.id !== current;
  for (const link of document.querySelectorAll('nav a')) {
    if (link.hash === `#${current}`) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  document.title = `thresher: ${document.getElementById(`${current}-title`).textContent}`;
  scrollTo(0, 0);
  if (focus) document.getElementById(`${current}-title`).focus({preventScroll: true});
  update(++round);
}

login.querySelector('form').addEventListener('submit', event => {
  event.preventDefault();
  const field = document.getElementById('token');
  useToken(field.value);
  field.value = '';
  showView(true);
});
document.getElementById('forget-token').addEventListener('click', () => {
  forgetToken();
  location.reload();
});
for (const form of document.querySelectorAll('form[role=search]'))
  form.addEventListener('submit', event => event.preventDefault());
addEventListener('hashchange', () => showView(true));
document.addEventListener('visibilitychange', () => update(++round));

document.getElementById('forget-token').hidden = token === '';
showView(false);
