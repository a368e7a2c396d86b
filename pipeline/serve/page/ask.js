'use strict';
// Asks the daemon. The token stays in this tab: in its session storage, in no cookie.

let token = sessionStorage.getItem('token') ?? '';

// Of a daemon with several models, the one that this page shows: /?model=NAME.
const shownModel = new URLSearchParams(location.search).get('model') ?? '';

class Refused extends Error {
  constructor(status, why) {
    super(why);
    this.status = status;
  }
}

// The JSON that the daemon answers. options: method, json (a body), body (a message).
async function ask(path, query = {}, options = {}) {
  const headers = token === '' ? {} : {Authorization: `Bearer ${token}`};
  if (options.json) headers['Content-Type'] = 'application/json';
  const asked = new URLSearchParams(Object.entries({model: shownModel, ...query}).filter(([, value]) => value !== ''));
  let response;
  try {
    response = await fetch(`${path}?${asked}`, {
      method: options.method ?? 'GET',
      headers,
      body: options.json ? JSON.stringify(options.json) : options.body,
      cache: 'no-store',
      credentials: 'omit'
    });
  } catch {
    throw new Refused(0, 'the daemon does not answer');
  }
  const answer = await response.json().catch(() => ({}));
  if (response.status === 401) showLogin();
  if (!response.ok) throw new Refused(response.status, answer.error ?? `status ${response.status}`);
  return answer;
}

function showLogin() {
  const login = document.getElementById('login');
  document.getElementById('login-problem').textContent =
      token === '' ? '' : 'The daemon does not accept this token.';
  forgetToken();
  if (!login.hidden) return;
  login.hidden = false;
  document.getElementById('token').focus();
}

function useToken(text) {
  token = text.trim();
  sessionStorage.setItem('token', token);
  document.getElementById('login').hidden = true;
  document.getElementById('forget-token').hidden = false;
}

function forgetToken() {
  token = '';
  sessionStorage.removeItem('token');
  document.getElementById('forget-token').hidden = true;
}

// Teaches a message that was judged or taught before; returns what that changed.
async function teach(message, label) {
  const {id, key, user, model = shownModel} = message;
  const answer = await ask('/feedback', {model}, {method: 'POST', json: {label, id, key, user}});
  return {
    new: `learned as ${label}`,
    corrected: `corrected to ${label}`,
    changed: `learned again as ${label}`,
    waiting: `kept, to be learned as ${label} when the shared log has it`
  }[answer.result] ??
      `known as ${label} already`;
}

const say = (id, text) => {
  const place = document.getElementById(id);
  if (place.textContent !== text) place.textContent = text;
};

// Two buttons that teach `message`. on_taught(label, what) is called when the daemon has learned.
function teachButtons(message, name, stateId, onTaught) {
  return ['spam', 'ham'].map(label => {
    const button = element(
        'button', {
          type: 'button',
          'aria-pressed': message.taught === label,
          'aria-label': `Teach as ${label}: ${name}`
        },
        label === 'spam' ? 'Spam' : 'Ham');
    button.addEventListener('click', async () => {
      say(stateId, `Teaching “${name}” …`);
      try {
        const what = await teach(message, label);
        message.taught = label;
        for (const each of button.parentElement.querySelectorAll('button[aria-pressed]'))
          each.setAttribute('aria-pressed', each === button);
        say(stateId, `“${name}” ${what}.`);
        onTaught?.(label);
      } catch (problem) {
        say(stateId, `“${name}” was not taught: ${problem.message}`);
      }
    });
    return button;
  });
}

const timeOfDay = seconds =>
    new Date(seconds * 1000).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', hour12: false});
