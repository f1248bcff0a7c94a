// The page of a paired phone: what waits, what runs, and answers to what is drawn here. Everything is set as text, never as markup.

/** How long a question that has just come, or changed, takes no press: nobody meant it who was about to press something else. */
const GUARD = 700;

const main = document.getElementById('main');
const told = document.getElementById('told');
const away = document.getElementById('away');
const leave = document.getElementById('leave');
const heard = document.getElementById('heard');

let words = {};
/** What is drawn, by question: its digest and its card. */
let drawn = new Map();
let news;

/** An element with what is in it: texts and other elements. */
function el(name, props = {}, ...children) {
  const made = Object.assign(document.createElement(name), props);
  made.append(...children.filter((c) => c !== undefined && c !== ''));
  return made;
}

async function call(path, body) {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body && JSON.stringify(body),
    cache: 'no-store',
  }).catch(() => {
    throw Object.assign(new Error(words.failed), { status: 0 });
  });
  if (response.ok) return response.status === 204 ? undefined : response.json();
  const said = await response.json().catch(() => ({}));
  throw Object.assign(new Error(said.message ?? words.failed), { status: response.status });
}

const waitsTitle = el('h2');
const waits = el('section');
const runsTitle = el('h2');
const runs = el('section');

let fading;
function tell(text) {
  told.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (told.textContent = ''), 6000);
}

/** Has the page speak the shop's language. */
async function speak() {
  words = await call('words');
  document.documentElement.lang = words.lang;
  document.title = `${words.title} · Agent Chat`;
  document.querySelector('h1').textContent = words.title;
  leave.textContent = words.leave;
  away.textContent = words.away;
  waitsTitle.textContent = words.waits;
  runsTitle.textContent = words.runs;
}

function button(label, className, press) {
  const made = el('button', { type: 'button', className, textContent: label });
  made.onclick = () => pressable(made) && press();
  return made;
}

/** Buttons that take no press are only marked, so that they keep the focus. */
const pressable = (made) => made.getAttribute('aria-disabled') !== 'true';
const hold = (card, held) => {
  for (const one of card.querySelectorAll('button')) one.setAttribute('aria-disabled', String(held));
};

async function answer(question, card, option, text) {
  card.dataset.sending = '';
  hold(card, true);
  try {
    await call('answer', { ask: question.id, drawn: question.drawn, option, text });
    tell(words.sent);
  } catch (error) {
    if (error.status === 401) return unpaired();
    tell(error.message);
    delete card.dataset.sending;
    hold(card, false);
  }
  await look();
  if (!card.isConnected) waits.querySelector('article')?.focus();
}

function typed(question, card, text) {
  const input = el('input', { name: 'text', autocomplete: 'off', required: true, maxLength: 4000, value: text });
  const send = el('button', { className: 'go', textContent: words.send });
  const form = el('form', {}, el('label', {}, question.typed, input), send);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (pressable(send)) void answer(question, card, -1, input.value);
  };
  return form;
}

/** Draws a question. What was being written on the card it replaces stays. */
function draw(question, old) {
  const card = el('article', { className: 'ask', tabIndex: -1 });
  const name = `${question.job ?? ''} ${question.text}`.trim();
  card.setAttribute('aria-label', name);
  card.dataset.ask = question.id;
  const acts = el('div', { className: 'acts' });
  question.options.forEach((option, n) => {
    const look = option.go ? 'go' : option.grave ? 'grave' : '';
    const made = button(option.label, look, () => answer(question, card, n, ''));
    made.setAttribute('aria-label', `${option.label}: ${name}`);
    acts.append(made);
  });
  const values = el('dl');
  for (const value of question.values ?? []) {
    const from = el('small', { className: value.care ? 'care' : '', textContent: value.from ?? '' });
    const said = el('dd', {}, value.is, value.from ? from : '');
    values.append(el('dt', { textContent: value.name }), said);
  }
  card.append(
    ...(question.job ? [el('h3', { textContent: question.job })] : []),
    el('p', { className: 'text', textContent: question.text }),
    ...(values.childElementCount ? [values] : []),
    ...(question.preview ? [el('pre', { textContent: question.preview, tabIndex: 0 })] : []),
    ...(question.notes ?? []).map((note) => el('p', { className: 'note', textContent: note })),
    ...(question.typed ? [typed(question, card, old?.querySelector('input')?.value ?? '')] : []),
    acts,
  );
  return card;
}


/** Puts a list of cards in place and touches none that stays, so that the field that is written in keeps its focus. */
function place(section, cards) {
  for (const child of [...section.children]) if (!cards.includes(child)) child.remove();
  cards.forEach((card, i) => {
    if (section.children[i] !== card) section.insertBefore(card, section.children[i] ?? null);
  });
}

let guarding;
/** What moved under a finger takes no press for a moment. */
function guard() {
  const all = () => waits.querySelectorAll('article:not([data-sending])');
  for (const card of all()) hold(card, true);
  delete waits.dataset.ready;
  clearTimeout(guarding);
  guarding = setTimeout(() => {
    for (const card of all()) hold(card, false);
    waits.dataset.ready = '';
  }, GUARD);
}

/** Says whether the computer answers. The line pushes everything down, so nothing takes a press just then. */
function gone(is) {
  if (away.hidden === !is) return;
  away.hidden = !is;
  guard();
}

function show(page) {
  const before = drawn;
  drawn = new Map();
  const cards = page.asks.map((question) => {
    const old = before.get(question.id);
    const card = old?.digest === question.drawn ? old.card : draw(question, old?.card);
    drawn.set(question.id, { digest: question.drawn, card });
    return card;
  });
  const moved = before.size !== drawn.size || cards.some((card) => !card.isConnected);
  const empty = cards.length ? [] : [el('p', { className: 'empty', textContent: words.nothing })];
  const more = page.more ? [el('p', { className: 'note', textContent: `${words.more}: ${page.more}` })] : [];
  const writing = [...before.values()].find((old) => old.card.contains(document.activeElement))?.card;
  place(waits, [...cards, ...empty, ...more]);
  if (moved) guard();
  if (writing && !writing.isConnected) drawn.get(writing.dataset.ask)?.card.querySelector('input')?.focus();
  const fresh = page.asks.filter((question) => !before.has(question.id));
  if (fresh.length && waits.isConnected) heard.textContent = fresh.map((q) => q.text).join(' ');
  const jobs = page.jobs.map((job) => {
    const light = el('i');
    light.dataset.state = job.state;
    const doing = [job.says, job.doing].filter(Boolean).join(' · ');
    return el(
      'li',
      {},
      light,
      el('span', { textContent: job.title }),
      el('small', { textContent: doing }),
    );
  });
  runs.replaceChildren(
    jobs.length ? el('ul', {}, ...jobs) : el('p', { className: 'empty', textContent: words.idle }),
  );
  if (!waits.isConnected)
    main.replaceChildren(waitsTitle, waits, runsTitle, runs);
  leave.hidden = false;
}

/** One look at a time, one more if something happened meanwhile, and a breath between. */
const BREATH = 300;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
let looking;
let again = false;
function look() {
  again = true;
  looking ??= (async () => {
    try {
      while (again) {
        again = false;
        const page = await call('now');
        if (page.lang !== words.lang) await speak();
        show(page);
        gone(false);
        if (again) await pause(BREATH);
      }
    } catch (error) {
      if (error.status === 401) unpaired();
      else {
        gone(error.status !== 429);
        later();
      }
    } finally {
      looking = undefined;
    }
  })();
  return looking;
}

/** Tries again by itself, ever more seldom, until the computer answers. */
let wait = 2000;
let trying;
function later() {
  clearTimeout(trying);
  trying = setTimeout(() => void come(), wait);
  wait = Math.min(wait * 2, 30_000);
}

/** Longer than the computer is ever silent: it sends a beat every twenty seconds. */
const SILENCE = 50_000;
let silence;
function alive() {
  clearTimeout(silence);
  silence = setTimeout(() => {
    gone(true);
    listen();
  }, SILENCE);
}

function listen() {
  news?.close();
  news = new EventSource('news');
  alive();
  news.onopen = alive;
  news.addEventListener('beat', alive);
  news.onmessage = () => {
    alive();
    wait = 2000;
    void look();
  };
  news.onerror = () => {
    gone(true);
    if (news.readyState === EventSource.CLOSED) later(); // refused: is this phone still known, is the computer there?
  };
}

function unpaired() {
  news?.close();
  news = undefined;
  clearTimeout(silence);
  clearTimeout(trying);
  drawn = new Map();
  leave.hidden = true;
  away.hidden = true;
  waits.remove();
  main.replaceChildren(el('p', { className: 'empty', textContent: words.no }));
}

/** Looks, and listens from then on. */
async function come() {
  await look();
  if (!leave.hidden && news?.readyState !== EventSource.OPEN) listen();
}

function invited(code) {
  const name = el('input', { name: 'name', value: words.mine, maxLength: 40, required: true });
  const form = el(
    'form',
    {},
    el('label', {}, words.name, name),
    el('button', { className: 'go', textContent: words.yes }),
  );
  form.onsubmit = async (event) => {
    event.preventDefault();
    try {
      await call('pair', { code, name: name.value });
      await come();
    } catch (error) {
      main.replaceChildren(el('p', { className: 'empty', textContent: error.message }));
    }
  };
  main.replaceChildren(
    el('section', { className: 'pair' }, el('h2', { textContent: words.pair }), el('p', { textContent: words.pairing }), form),
  );
}

leave.onclick = async () => {
  if (!confirm(words.sure)) return;
  try {
    await call('leave', {});
    unpaired();
  } catch (error) {
    tell(error.message);
  }
};

// A phone that slept looks at once when it wakes, and listens anew: what it listened to may be long gone.
document.addEventListener('visibilitychange', () => {
  if (document.hidden || leave.hidden) return;
  wait = 2000;
  listen();
  void look();
});

const code = location.hash.slice(1);
history.replaceState(null, '', location.pathname); // the code stays in no history
while (!words.lang) await speak().catch(() => pause(2000));
if (code) invited(code);
else await come();
