// Many conversations: they get titles by themselves, everything in them is found and led to, what waits elsewhere is seen and one click
// away, and where one was and what was not read outlive the program.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { drawnInPage } from '../lib/inpage.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

const call = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);
const row = (page, title) => page.locator('.list li', { hasText: title });
const message = (page, text) => page.locator(of('chat-message', { role: 'customer' }), { hasText: text });
const hit = (kind) => `${of('hit')}[data-kind="${kind}"]`;

/** Narrows the search by keyboard alone: Tab to the list and the first letters of what is chosen in it. */
async function narrow(page, part, value) {
  const list = page.getByTestId(`search-${part}`);
  await list.focus();
  await list.selectOption(value);
}

test('one search finds what every room has, is narrowed, and leads to the place by keyboard alone', async (t) => {
  const { shop, window, page } = await visit(t, {
    context: { viewport: { width: 720, height: 520 }, reducedMotion: 'reduce' },
  });
  await shop.say('임대차 보증금 12 더하기 30은?');
  await shop.sees('the ticket', of('job-card'));
  await call(page, 'AddNote', '보증금 영수증 챙기기');
  await call(page, 'AddFact', '보증금은 3천만원이다');
  await window.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  await shop.say('우유 사기 보증금 말고');
  await shop.sees('the answer', of('chat-message', { role: 'shop' }));

  const look = async (words) => {
    await page.keyboard.press('Control+k');
    await page.locator(`${of('search')}:focus`).waitFor();
    await page.keyboard.type(words);
    await shop.sees('finds', of('hit'));
  };
  await look('보증');
  for (const kind of ['message', 'note', 'fact']) await page.locator(hit(kind)).first().waitFor();
  await window.screenshot('search-all-720');
  assert.equal(await overflows(page), false);
  await nothingSerious(page, 'the search with its filters');

  await narrow(page, 'shelf', 'message');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-testid="hit"]')].every((h) => h.dataset.kind === 'message'),
  );
  assert.equal(await page.locator(of('hit')).count(), 2);
  await narrow(page, 'where', 'here');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid="hit"]').length === 1);
  await narrow(page, 'where', '');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid="hit"]').length === 2);
  await narrow(page, 'days', '1');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid="hit"]').length === 2);
  await page.getByTestId('search').focus();
  await page.getByTestId('search').fill('임대차');
  await page.waitForFunction(() => document.querySelectorAll('[data-testid="hit"]').length === 1);
  await page.keyboard.press('Enter');
  await message(page, '임대차').and(page.locator('.hit')).waitFor();

  await look('영수증');
  await page.locator(hit('note')).waitFor();
  await page.keyboard.press('Enter');
  await page.locator(`${of('note')}.sought`).waitFor();
  await look('3천만');
  await page.locator(hit('fact')).waitFor();
  await page.keyboard.press('Enter');
  await page.locator(`${of('fact')}.sought`).waitFor();
  await look('글자 크기');
  await narrow(page, 'shelf', 'setting');
  await page.locator(hit('setting')).first().waitFor();
  await page.getByTestId('search').focus();
  await page.keyboard.press('Enter');
  await page.locator('main .sought').waitFor();

  await look('영수증');
  await narrow(page, 'shelf', 'setting');
  await page.getByTestId('widen').click();
  await page.locator(hit('note')).first().waitFor();
  await page.keyboard.press('Escape');
});

test('a chat is named by what it is about; a name that a person gave stays, also after a kill', async (t) => {
  const { shop, window, page, again } = await visit(t);
  await shop.say('안녕, 임대차 계약서 보증금 조항이 궁금해서 물어보려고 하는데 좀 알려줄래?');
  await shop.sees('an answer', of('chat-message', { role: 'shop' }));
  await row(page, '임대차 계약서 보증금').first().waitFor();
  const titles = () => page.locator('.list li .name').allInnerTexts();
  assert.ok(
    (await titles()).every((title) => title.length < 42),
    `${await titles()}`,
  );
  await window.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  await shop.order('12 곱하기 3은?');
  const made = (await call(page, 'Snapshot')).chats.find((c) =>
    c.messages.some((m) => /곱하기/.test(m.text)),
  );
  await call(page, 'RenameChat', made.id, '내 계산');
  await shop.order('13 곱하기 3은?');
  await row(page, '내 계산').waitFor();
  const later = await again();
  await row(later.page, '내 계산').waitFor();
  await row(later.page, '임대차 계약서 보증금').first().waitFor();
});

test('the board opens by itself for a question that is out of sight, takes no focus, and folds when it is answered', async (t) => {
  const { shop, window, page } = await visit(t, {
    settings: { 'tools.calculator.confirm': 'always' },
    context: { viewport: { width: 720, height: 520 }, reducedMotion: 'reduce' },
  });
  const [sum] = await shop.order('12 곱하기 3은?');
  await shop.sees('the question', of('ask-card'));
  assert.equal(await page.locator(of('board-calls')).count(), 0, 'what is in sight opens nothing');
  await shop.goTo('notes');
  await page.keyboard.press('Tab');
  const focus = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
  const light = `${of('board-calls')} ${of('waiting-tile', { job: sum })}`;
  await shop.sees('the board opened', light);
  const held = await focus();
  await page.evaluate(drawnInPage);
  const free = await page.evaluate(() => {
    const main = document.querySelector('main').getBoundingClientRect();
    const below = document.querySelector('.below').getBoundingClientRect();
    return (main.bottom - Math.max(main.top, below.bottom)) / innerHeight;
  });
  assert.ok(free >= 0.599, `the conversation keeps its room: ${free}`);
  assert.match((await shop.find(light))[0].text, /12/);
  assert.equal(await focus(), held, 'the focus stays where it was');
  await window.screenshot('board-open-720');
  await nothingSerious(page, 'the open board');
  await window.click(light);
  await shop.sees('its question in the panel', `${of('job-panel')} ${of('ask-card')}[data-ready]`);
  await shop.sees('the board folded', of('board-calls'), { count: 0 });
  await window.click(`${of('job-panel')} [data-choice="approve"]`);
  await finds(
    page,
    (id) => window.go.main.App.Snapshot().then((s) => s.jobs.find((j) => j.id === id)?.state === 'succeeded'),
    sum,
  );
  assert.equal(await page.locator(of('board-calls')).count(), 0);
});

test('what waits at the counter of another chat has a light, one click or Ctrl+J away', async (t) => {
  const { shop, window, page } = await visit(t);
  await shop.say('동생에게 5만원 송금해줘');
  await shop.sees('the slip', of('slip'));
  await window.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  const light = `${of('board-calls')} ${of('slip-tile')}`;
  await shop.sees('its light', light);
  await window.screenshot('board-slip-1280');
  await window.click(light);
  await shop.sees('the slip', of('slip'));
  await shop.sees('the board folded', of('board-calls'), { count: 0 });
  await shop.goTo('library');
  await shop.sees('its light on another page', light);
  await page.keyboard.press('Control+j');
  await shop.sees('the slip again', of('slip'));
});

test('what was not read and where one was outlive a kill', async (t) => {
  const { shop, window, page, again } = await visit(t, { settings: { pace: 0.2 } });
  for (let i = 1; i <= 14; i++) {
    await shop.say(`안녕 ${i}번째`);
    await shop.sees('the answer', of('chat-message', { role: 'shop' }), { count: i });
  }
  await page.evaluate(drawnInPage); // until then it goes after its end
  await message(page, '안녕 4번째').evaluate((e) => e.scrollIntoView({ block: 'start' }));
  const top = (p) =>
    p.evaluate(() => {
      const edge = document.querySelector('.timeline')?.getBoundingClientRect().top ?? 0;
      const line = [...document.querySelectorAll('.log > [data-line]')].find(
        (e) => e.getBoundingClientRect().bottom > edge + 1,
      );
      return line?.innerText.replace(/\s+/g, ' ');
    });
  const before = await top(page);
  assert.match(before, /4번째/);
  // Kept when it has settled: this line, and none that was passed on the way; said by the shop itself.
  const fourth = await message(page, '안녕 4번째').evaluate((e) => e.closest('[data-line]').dataset.line);
  await finds(
    page,
    async (line) => {
      const snapshot = await window.go.main.App.Snapshot();
      return snapshot.chats.find((c) => c.id === 'main').line === line;
    },
    fourth,
  );
  const atFour = (p) =>
    p.waitForFunction(() => {
      const edge = document.querySelector('.timeline')?.getBoundingClientRect().top ?? 0;
      const line = [...document.querySelectorAll('.log > [data-line]')].find(
        (e) => e.getBoundingClientRect().bottom > edge + 1,
      );
      return /4번째/.test(line?.innerText ?? '');
    });
  await window.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  await shop.say('여기는 다른 이야기예요');
  await shop.sees('the answer', of('chat-message', { role: 'shop' }));
  const other = await page.evaluate(() => window.go.main.App.Snapshot().then((s) => s.chats[0].id));
  await call(page, 'RenameChat', other, '다른 이야기'); // or both name themselves meanwhile
  await call(page, 'RenameChat', 'main', '안녕');
  await row(page, '안녕').locator('.name').click();
  await atFour(page);
  await call(page, 'Say', other, '안녕하세요', '', '');
  await row(page, '이야기').locator(of('unread')).waitFor();

  // The program begins with the main chat, which is where it was; the other is still not read, however soon after its answer the kill came.
  const later = await again();
  await atFour(later.page);
  const unread = row(later.page, '이야기').locator(of('unread'));
  await unread.waitFor();
  await row(later.page, '이야기').locator('.name').click();
  await unread.waitFor({ state: 'detached' });
});
