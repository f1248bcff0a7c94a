// The page of a paired phone: what waits, what runs, and answers to what is drawn here. Everything is set as text, never as markup.

/** How long a question that has just come, or changed, takes no press: nobody meant it who was about to press something else. */
const GUARD = 700;

const main = document.getElementById('main');
const told = document.getElementById('told');
const away = document.getElementById('away');
const leave = document.getElementById('leave');

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
  });
  if (response.ok) return response.status === 204 ? undefined : response.json();
  const said = await response.json().catch(() => ({}));
  throw Object.assign(new Error(said.message ?? words.failed), { status: response.status });
}

let fading;
function tell(text) {
  told.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => (told.textContent = ''), 6000);
}

function speak() {
  document.documentElement.lang = words.lang;
  document.title = `${words.title} · Agent Chat`;
  document.querySelector('h1').textContent = words.title;
  leave.textContent = words.leave;
  away.textContent = words.away;
}

/** A button that takes no second press while the first is on its way. */
function button(label, className, press) {
  const made = el('button', { type: 'button', className, textContent: label });
  made.onclick = () => press(made);
  return made;
}

async function answer(question, card, option, text) {
  const fields = card.querySelectorAll('button, input');
  for (const field of fields) field.disabled = true;
  try {
    await call('answer', { ask: question.id, drawn: question.drawn, option, text });
    tell(words.sent);
  } catch (error) {
    if (error.status === 401) return unpaired();
    tell(error.message || words.failed);
    drawn.delete(question.id); // it is drawn anew, as it is now
  }
  await look();
}

function typed(question, card) {
  const input = el('input', { name: 'text', autocomplete: 'off', required: true, maxLength: 4000 });
  const form = el(
    'form',
    {},
    el('label', {}, question.typed, input),
    el('button', { className: 'go', textContent: words.send }),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    void answer(question, card, -1, input.value);
  };
  return form;
}

function draw(question) {
  const card = el('article', { className: 'ask' });
  card.dataset.ask = question.id;
  const acts = el('div', { className: 'acts' });
  question.options.forEach((option, n) => {
    const look = option.go ? 'go' : option.grave ? 'grave' : '';
    acts.append(button(option.label, look, () => answer(question, card, n, '')));
  });
  const values = el('dl');
  for (const value of question.values ?? []) {
    const said = el('dd', {}, value.is, value.from ? el('small', { textContent: value.from }) : '');
    values.append(el('dt', { textContent: value.name }), said);
  }
  card.append(
    ...(question.job ? [el('h3', { textContent: question.job })] : []),
    el('p', { className: 'text', textContent: question.text }),
    ...(values.childElementCount ? [values] : []),
    ...(question.preview ? [el('pre', { textContent: question.preview, tabIndex: 0 })] : []),
    ...(question.notes ?? []).map((note) => el('p', { className: 'note', textContent: note })),
    ...(question.typed ? [typed(question, card)] : []),
    acts,
  );
  return card;
}

const waits = el('section');
const runs = el('section');

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
  const all = () => waits.querySelectorAll('.acts button');
  for (const one of all()) one.disabled = true;
  delete waits.dataset.ready;
  clearTimeout(guarding);
  guarding = setTimeout(() => {
    for (const one of all()) one.disabled = false;
    waits.dataset.ready = '';
  }, GUARD);
}

function show(page) {
  const before = drawn;
  drawn = new Map();
  const cards = page.asks.map((question) => {
    const old = before.get(question.id);
    const card = old?.digest === question.drawn ? old.card : draw(question);
    drawn.set(question.id, { digest: question.drawn, card });
    return card;
  });
  const moved = before.size !== drawn.size || cards.some((card) => !card.isConnected);
  const empty = cards.length ? [] : [el('p', { className: 'empty', textContent: words.nothing })];
  const more = page.more ? [el('p', { className: 'note', textContent: `${words.more}: ${page.more}` })] : [];
  place(waits, [...cards, ...empty, ...more]);
  if (moved) guard();
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
    main.replaceChildren(el('h2', { textContent: words.waits }), waits, el('h2', { textContent: words.runs }), runs);
  leave.hidden = false;
}

/** One look at a time, and one more if something happened meanwhile. */
let looking;
let again = false;
function look() {
  again = true;
  looking ??= (async () => {
    try {
      while (again) {
        again = false;
        show(await call('now'));
        away.hidden = true;
      }
    } catch (error) {
      if (error.status === 401) unpaired();
      else away.hidden = false;
    } finally {
      looking = undefined;
    }
  })();
  return looking;
}

function listen() {
  news?.close();
  news = new EventSource('news');
  news.onmessage = () => void look();
  news.onerror = () => {
    away.hidden = false;
    if (news.readyState === EventSource.CLOSED) void look(); // refused: is this phone still known?
  };
}

function unpaired() {
  news?.close();
  drawn = new Map();
  leave.hidden = true;
  away.hidden = true;
  main.replaceChildren(el('p', { className: 'empty', textContent: words.no }));
}

async function come() {
  await look();
  if (!leave.hidden) listen();
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
      main.replaceChildren(el('p', { className: 'empty', textContent: error.message || words.failed }));
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
    tell(error.message || words.failed);
  }
};

// A phone that slept looks at once when it wakes.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && !leave.hidden) void look();
});

words = await call('words');
speak();
const code = location.hash.slice(1);
history.replaceState(null, '', location.pathname); // the code stays in no history
if (code) invited(code);
else await come();
