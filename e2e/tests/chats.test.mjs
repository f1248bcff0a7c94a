// What a person takes back: a chat while it is answered, an earlier request, a reply half way. And what is found again.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { fakeModel } from '../lib/fake-model.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

const message = of('chat-message');
const mine = of('chat-message', { role: 'customer' });
const reply = of('chat-message', { role: 'shop' });
const written = `${reply}:not([data-streaming])`;
const chats = '.list li .name';
const toast = '.toaster .toast';

/** A bound method of the app, called as the window calls it. */
const call = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);

async function visitWith(t, model, more = {}) {
  const server = await fakeModel(t);
  const settings = { provider: 'ollama', ollama_host: server.host, model };
  return { server, ...(await visit(t, { settings, ...more })) };
}

/** What stands in the chat, in order: the words of messages and the titles of tickets. */
const read = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-testid="chat-message"], [data-testid="job-card"]')]
      .filter((e) => !e.parentElement.closest('[data-testid="job-card"]'))
      .map((e) => (e.querySelector('h3') ?? e.querySelector('.text')).textContent.trim()),
  );

const box = (page) => page.locator(of('composer')).inputValue();

/** Presses a button of a message, which is there once the message is pointed at. */
async function press(page, line, name) {
  await line.hover();
  await line.getByRole('button', { name, exact: true }).click();
}

async function deleteChat(page, title) {
  const row = page.locator('.list li', { hasText: title });
  await row.hover();
  await row.getByRole('button', { name: /더 보기$/ }).click();
  await page.getByRole('menuitem', { name: '지우기' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '지우기' }).click();
}

test('a chat that is deleted while it is answered is gone, and stays gone', async (t) => {
  const { server, shop, window, page, again } = await visitWith(t, 'endless-answer');
  await shop.say('끝없이 말해 줘');
  await shop.sees('the reply that grows', `${reply}[data-streaming]`);
  await window.press('Control+n');
  await shop.sees('a new chat', message, { count: 0 });
  await deleteChat(page, '끝없이 말해 줘');
  await server.awaits('endless-answer', 'aborted');
  // What is said next is answered after all that was still to be told of the other.
  await call(page, 'SetSettings', { provider: 'builtin' });
  await shop.say('안녕');
  await shop.sees('the reply to the next', written);

  const gone = async (where, { shop, page }) => {
    await shop.sees(`the other chat ${where}`, chats);
    const left = await page.locator(chats).allInnerTexts();
    assert.deepEqual(
      left.filter((title) => title.includes('끝없이')),
      [],
      where,
    );
    const snapshot = await call(page, 'Snapshot');
    const said = snapshot.chats.flatMap((c) => c.messages.map((m) => m.text));
    assert.equal(said.filter((text) => /끝없이|번째 말/.test(text)).length, 0, where);
    // A turn is over a moment after its reply.
    await finds(page, async () => !(await window.go.main.App.Snapshot()).chats.some((c) => c.busy));
    assert.equal((await call(page, 'Search', { text: '끝없이' })).length, 0, where);
  };
  await gone('after the events', { shop, page });
  await page.reload();
  await shop.opened();
  await gone('after a reload', { shop, page });
  await gone('after a restart', await again());
});

test('an earlier request is changed: what stood after it goes, what had been typed comes back', async (t) => {
  const { shop, window, page } = await visit(t);
  const banner = page.locator('.composer .editing');
  await shop.say('안녕');
  await shop.sees('the first reply', written);
  const [sum] = await shop.order('3 더하기 4는?');
  await shop.jobIs(sum, 'succeeded'); // what came of it stands in its ticket when nothing was said meanwhile
  await shop.say('고마워');
  await shop.sees('the last reply', written, { count: 2 });
  await call(page, 'RenameChat', 'main', '안녕'); // or it names itself, whenever it comes to it
  const before = await read(page);

  await page.locator(of('composer')).fill('반쯤 쓴 말');
  const second = page.locator(mine).nth(1);
  await press(page, second, '고쳐서 다시 보내기');
  await banner.waitFor();
  assert.equal(await box(page), '3 더하기 4는?');
  assert.ok(await second.evaluate((e) => e.classList.contains('edited')));
  await window.screenshot('chat-editing');
  await nothingSerious(page, 'a change');
  assert.equal(await overflows(page), false);

  await window.press('Control+n');
  await shop.sees('another chat', message, { count: 0 });
  assert.equal(await banner.count(), 0, 'the banner belongs to its chat');
  assert.equal(await box(page), '');
  await page.locator(chats, { hasText: '안녕' }).click();
  await banner.waitFor();
  assert.equal(await box(page), '3 더하기 4는?');

  await page.locator(of('composer')).focus();
  await window.press('Escape');
  await banner.waitFor({ state: 'detached' });
  assert.equal(await box(page), '반쯤 쓴 말');
  assert.deepEqual(await read(page), before);

  // What is refused keeps everything, the words in the box too.
  await press(page, second, '고쳐서 다시 보내기');
  await page.locator(of('composer')).fill('가'.repeat(16_001));
  await window.press('Enter');
  await page.locator(toast).first().waitFor();
  await banner.waitFor();
  assert.equal((await box(page)).length, 16_001);
  assert.deepEqual(await read(page), before);

  await page.locator(of('composer')).fill('5 더하기 6은?');
  await window.press('Enter');
  await page.locator(mine, { hasText: '5 더하기 6은?' }).waitFor();
  await shop.sees('its work', `${of('job-card', { state: 'succeeded' })}:not([data-job="${sum}"])`);
  assert.equal(await banner.count(), 0);
  assert.equal(await box(page), '반쯤 쓴 말');
  const said = () => page.locator(`${mine} .text`).allInnerTexts();
  assert.deepEqual(await said(), ['안녕', '5 더하기 6은?']);
  await page.reload();
  await shop.opened();
  await shop.sees('the chat as it was', mine, { count: 2 });
  assert.deepEqual(await said(), ['안녕', '5 더하기 6은?']);
  assert.equal((await shop.find(of('job-card'))).length, 1, 'the ticket of what was said first is gone');
});

test('a request is answered again, and one that is gone takes nothing along', async (t) => {
  const { shop, page } = await visit(t);
  await shop.say('안녕');
  await shop.sees('the first reply', written);
  await shop.say('고마워');
  await shop.sees('the second reply', written, { count: 2 });
  const first = (await shop.find(written))[1].id;
  const last = page.locator(written).nth(1);
  await press(page, last, '다시 답하기');
  await shop.sees('another reply', `${written}:not([data-id="${first}"])`, { count: 2 });
  assert.deepEqual(await page.locator(`${mine} .text`).allInnerTexts(), ['안녕', '고마워']);

  // The request is taken away behind the window's back: the shop refuses to answer it, and everything stays.
  const before = await read(page);
  await call(page, 'DeleteMessage', (await shop.find(mine))[1].id);
  await press(page, last, '다시 답하기');
  await page.locator(toast).first().waitFor();
  assert.deepEqual(await read(page), before);
  // The window knows that it is gone: no other request is answered in its place.
  await page.reload();
  await shop.opened();
  await shop.sees('what is left', message, { count: 3 });
  await last.hover();
  assert.equal(await last.getByRole('button', { name: '다시 답하기' }).count(), 0);
});

test('a reply that is stopped keeps what was written, and goes on when asked to', async (t) => {
  const { server, shop, window, page } = await visitWith(t, 'endless-answer');
  await shop.say('끝없이 말해 줘');
  await shop.sees('the reply that grows', `${reply}[data-streaming] .markdown`);
  await page.waitForFunction(
    (s) => document.querySelector(s)?.textContent.includes('3번째 말'),
    `${reply} .markdown`,
  );
  await window.click(of('stop-reply'));
  await server.awaits('endless-answer', 'aborted');
  await shop.sees('that it was stopped', of('stopped'));
  const text = (await page.locator(`${reply} .markdown`).innerText()).trim();
  assert.match(text, /^1번째 말\. 2번째 말\. 3번째 말/);
  await page.reload();
  await shop.opened();
  await shop.sees('it still', of('stopped'));
  assert.equal((await page.locator(`${reply} .markdown`).innerText()).trim(), text);
  await window.screenshot('chat-stopped');
  await nothingSerious(page, 'a stopped reply');
  assert.equal(await overflows(page), false);

  const on = page.locator(of('stopped')).getByRole('button', { name: '이어서 쓰기' });
  await on.click();
  await shop.sees('the next reply that grows', `${reply}[data-streaming]`);
  assert.equal(await on.count(), 0);
  assert.equal((await page.locator(`${reply} .markdown`).first().innerText()).trim(), text);
  await window.press('Escape');
  await shop.sees('both stopped', of('stopped'), { count: 2 });
  await on.first().waitFor(); // once the turn is over
  assert.equal(await on.count(), 1, 'the last one goes on');
  // The built-in interpreter does not write on what a model began.
  await call(page, 'SetSettings', { provider: 'builtin' });
  await on.waitFor({ state: 'detached' });
});

test('what is found is gone to and marked, however old it is', async (t) => {
  const { shop, window, page } = await visit(t);
  // More than a snapshot holds. Each reply is waited for by itself: how long all take is the machine's affair.
  for (const text of ['오래된호두', ...Array(55).fill('고마워')]) {
    const { id } = await call(page, 'Say', 'main', text, '', '');
    await page.waitForFunction(
      ([lines, id]) => {
        const all = [...document.querySelectorAll(lines)];
        const at = all.findIndex((e) => e.dataset.id === id);
        return at >= 0 && at < all.length - 1;
      },
      [`${mine}, ${written}`, id],
    );
  }
  await page.reload();
  await shop.opened();
  await shop.sees('the end of the chat', message, { count: 20 });
  const snapshot = await call(page, 'Snapshot');
  assert.ok(
    snapshot.chats[0].messages.every((m) => !m.text.includes('호두')),
    'it is older',
  );

  await window.press('Control+k');
  await page.locator(of('search')).fill('오래된호두');
  await shop.sees('the hit', of('hit', { kind: 'message' }));
  await window.click(of('hit', { kind: 'message' }));
  const hit = page.locator(`${mine}.hit`);
  await hit.waitFor();
  assert.match(await hit.innerText(), /오래된호두/);
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector('.message.hit').getBoundingClientRect();
    const seen = document.querySelector('.timeline').getBoundingClientRect();
    return top >= seen.top && bottom <= seen.bottom;
  });
  await window.screenshot('chat-hit');
  await nothingSerious(page, 'what was found');
  // That one is here, and then at the end, is kept once it has settled.
  const kept = (line) =>
    finds(page, async (line) => !!(await window.go.main.App.Snapshot()).chats[0].line === line, line);
  await kept(true);

  // From there one reads on downwards, to the newest.
  await page.getByRole('button', { name: '새 메시지' }).click();
  await page.waitForFunction(() => {
    const seen = document.querySelector('.timeline');
    return seen.scrollHeight - seen.scrollTop - seen.clientHeight < 4;
  });

  // What is gone by the time one wants to see it is said to be gone. One is at the end by then, also after a reload,
  // for the page that goes keeps its place before.
  await kept(false);
  await shop.goTo('notes');
  await call(page, 'Looked', 'main', '', '', 0);
  await kept(false);
  await page.reload();
  await shop.opened();
  await window.press('Control+k');
  await page.locator(of('search')).fill('오래된호두');
  await shop.sees('the hit', of('hit', { kind: 'message' }));
  const [{ id }] = await shop.find(of('hit', { kind: 'message' }));
  await call(page, 'DeleteMessage', id);
  await window.click(of('hit', { kind: 'message' }));
  await page.locator(toast, { hasText: '이제 이 대화에 없어요' }).waitFor();
});

test('two requests said at once: each ticket stands under its own', async (t) => {
  const { shop, page } = await visit(t);
  const box = page.locator(of('composer'));
  for (const text of ['목적지 A로 네비 켜줘', '노래 불러줘', '3 더하기 4는?']) {
    await box.fill(text);
    await box.press('Enter');
  }
  await shop.sees('three tickets', of('job-card'), { count: 3 });
  await shop.sees('the sum', `${of('job-card')}[data-state="succeeded"]`);
  const snapshot = await call(page, 'Snapshot');
  const under = () =>
    page.evaluate(
      ([mine, card]) => {
        let request = '';
        return [...document.querySelectorAll(`${mine}, ${card}`)].flatMap((e) => {
          if (e.matches(card)) return [[e.dataset.job, request]];
          request = e.dataset.id;
          return [];
        });
      },
      [mine, of('job-card')],
    );
  const own = Object.fromEntries(snapshot.jobs.map((j) => [j.id, j.turn]));
  for (const when of ['as they came', 'after a reload']) {
    const seen = await under();
    assert.equal(seen.length, 3, when);
    for (const [job, request] of seen) assert.equal(request, own[job], when);
    await page.reload();
    await shop.opened();
    await shop.sees('three tickets', of('job-card'), { count: 3 });
  }
});

test('a chat that was deleted is taken back, at once or later from the list', async (t) => {
  const { shop, window, page, again } = await visit(t);
  const [job] = await shop.order('3 더하기 4는?');
  await shop.jobIs(job, 'succeeded');
  await shop.sees('the request', mine, { text: '3 더하기 4는?' });
  await call(page, 'RenameChat', 'main', '3 더하기 4는?'); // or it names itself, whenever it comes to it
  const before = await read(page);
  await window.press('Control+n');
  await shop.sees('a new chat', message, { count: 0 });
  await deleteChat(page, '3 더하기 4는?');
  await page.locator(toast).getByRole('button', { name: '되돌리기' }).click();
  await shop.sees('the request again', mine, { text: '3 더하기 4는?' });
  await page.waitForFunction(
    (n) => document.querySelectorAll('[data-testid="chat-message"], [data-testid="job-card"]').length >= n,
    before.length,
  );
  assert.deepEqual(await read(page), before);

  await deleteChat(page, '3 더하기 4는?');
  await shop.sees('no message', message, { count: 0 });
  const later = await again();
  await later.page.locator('[data-testid="deleted-chats"] summary').click();
  await later.window.screenshot('deleted-chats');
  await later.page.getByRole('button', { name: '되돌리기: 3 더하기 4는?' }).click();
  await later.shop.sees('the request again', mine, { text: '3 더하기 4는?' });
  assert.deepEqual(await read(later.page), before);
  await later.shop.sees('no list of deleted chats', '[data-testid="deleted-chats"]', { count: 0 });
});
