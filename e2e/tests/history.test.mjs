// A history that can be bent: versions of a request, forks, the trash, what was typed, what is found, and the order chats are kept in.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

const message = of('chat-message');
const mine = of('chat-message', { role: 'customer' });
const written = `${of('chat-message', { role: 'shop' })}:not([data-streaming])`;
const toast = '.toaster .toast';

const call = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);

const said = (page) => page.locator(`${mine} .text`).allInnerTexts();

async function press(page, line, name) {
  await line.hover();
  await line.getByRole('button', { name, exact: true }).click();
}

async function menu(page, title) {
  const row = page.locator('.list li', { hasText: title });
  await row.hover();
  await row.getByRole('button', { name: /더 보기$/ }).click();
}

/** Says a request anew in the box. */
async function reword(page, window, old, text) {
  await press(page, page.locator(mine, { hasText: old }), '고쳐서 다시 보내기');
  await page.locator(of('composer')).fill(text);
  await window.press('Enter');
  await page.locator(mine, { hasText: text }).waitFor();
}

test('every version of a request is kept with what followed it, and says what it did in the world', async (t) => {
  const { shop, window, page, again } = await visit(t);
  await shop.say('안녕');
  await shop.sees('the first reply', written);
  const [timer] = await shop.order('10분 타이머');
  await shop.jobIs(timer, 'waiting');

  await press(page, page.locator(mine, { hasText: '10분 타이머' }), '고쳐서 다시 보내기');
  const world = page.locator('[data-testid="edit-world"]');
  await world.waitFor();
  await window.screenshot('version-edit-world');
  await world.getByRole('radio', { name: '계속하기' }).click();
  await page.locator(of('composer')).fill('고마워');
  await window.press('Enter');
  await page.locator(mine, { hasText: '고마워' }).waitFor();
  const at = page.locator('[data-testid="version-at"]');
  await at.filter({ hasText: '2/2' }).waitFor();
  await shop.sees('the reply of the new version', written, { count: 2 });
  assert.equal((await call(page, 'Job', timer)).job.state, 'waiting');
  await page.locator('[data-testid="world"] summary').click();
  await page.locator(`[data-testid="world-job"][data-job="${timer}"]`).waitFor();
  await window.screenshot('versions');
  await nothingSerious(page, 'versions');
  assert.equal(await overflows(page), false);

  await page.locator('[data-testid="version-before"]').click();
  await at.filter({ hasText: '1/2' }).waitFor();
  assert.deepEqual(await said(page), ['안녕', '10분 타이머']);
  await page.locator(of('job-card')).waitFor();
  await shop.jobIs(timer, 'waiting');

  const later = await again();
  await later.page.locator('[data-testid="version-at"]', { hasText: '1/2' }).waitFor();
  await later.page.locator('[data-testid="versions"] [role="group"]').focus();
  await later.window.press('ArrowRight');
  await later.page.locator('[data-testid="version-at"]', { hasText: '2/2' }).waitFor();
  assert.deepEqual(await said(later.page), ['안녕', '고마워']);
  await later.page.locator('[data-testid="world"] summary').click();
  await later.page
    .getByRole('button', { name: /^멈추기: / })
    .first()
    .click();
  await later.page.locator(`[data-testid="world-job"][data-job="${timer}"] .stamp.canceled`).waitFor();
});

test('a chat is forked from a message, and both go on by themselves', async (t) => {
  const { shop, page, window } = await visit(t);
  // What is said before the reply is there stands above it, and would come along.
  for (const [i, words] of ['안녕', '고마워', '잘 지내?'].entries()) {
    await shop.say(words);
    await shop.sees('the reply', written, { count: i + 1 });
  }
  await call(page, 'RenameChat', 'main', '안녕'); // or it names itself, whenever it comes to it
  await press(page, page.locator(written).nth(1), '여기서 새 대화로 갈라내기');
  await page.locator('.list li', { hasText: '안녕 (갈래)' }).waitFor();
  // It is in the list as soon as it is made, and opened by the answer to who made it.
  await page.locator(mine).nth(2).waitFor({ state: 'detached' });
  await shop.sees('what was said up to there', mine, { count: 2 });
  await window.screenshot('forked');
  await shop.say('또 만났네');
  await page.locator(mine, { hasText: '또 만났네' }).waitFor();
  await page.locator('.list li .name', { hasText: /^안녕$/ }).click();
  await page.locator(mine, { hasText: '잘 지내?' }).waitFor();
  assert.deepEqual(await said(page), ['안녕', '고마워', '잘 지내?']);
});

test('a chat with work in it is stopped before it is deleted, and the trash gives it back or lets go of it', async (t) => {
  const { shop, page, window } = await visit(t);
  const [timer] = await shop.order('10분 타이머');
  await shop.jobIs(timer, 'waiting');
  await menu(page, '10분 타이머');
  await page.getByRole('menuitem', { name: '지우기' }).click();
  await page.locator('[data-testid="stops-first"]').waitFor();
  await window.screenshot('delete-with-work');
  await page.getByRole('dialog').getByRole('button', { name: '지우기' }).click();
  await page.locator(toast, { hasText: '하던 일 1개를 멈추고' }).waitFor();
  await call(page, 'NewChat');

  const open = async () => {
    await shop.goTo('trash');
    await page.locator('[data-testid="trash-page"]').waitFor();
  };
  await open();
  await window.screenshot('trash-page');
  await nothingSerious(page, 'the trash');
  await page.getByTestId('trash-page').getByRole('button', { name: '되돌리기: 10분 타이머' }).click();
  await shop.sees('the request again', mine, { text: '10분 타이머' });
  await menu(page, '10분 타이머');
  await page.getByRole('menuitem', { name: '지우기' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '지우기' }).click();
  await open();
  await page.getByTestId('trash-page').getByRole('button', { name: '완전히 지우기: 10분 타이머' }).click();
  await page.locator('[data-testid="drop-chat"]').click();
  await shop.sees('no deleted chat', '[data-testid="trashed-chat"]', { count: 0 });
  assert.deepEqual(await call(page, 'DeletedChats'), []);
});

test('what is typed and not sent is there after a restart, in its chat', async (t) => {
  const { shop, page, window, again } = await visit(t);
  await shop.say('안녕');
  await shop.sees('the reply', written);
  const kept = page.evaluate(
    () =>
      new Promise((resolve) => {
        const save = window.go.main.App.SaveDraft;
        window.go.main.App.SaveDraft = async (...args) => {
          const done = await save(...args);
          if (args[1].includes('쓰던 말')) resolve(true);
          return done;
        };
      }),
  );
  await page.locator(of('composer')).fill('여기까지 쓰던 말');
  await kept;
  await window.press('Control+n');
  await shop.sees('a new chat', message, { count: 0 });
  const later = await again();
  await later.page.locator('.list li .name', { hasText: '안녕' }).click();
  await later.page.waitForFunction(
    () => document.querySelector('[data-testid="composer"]').value === '여기까지 쓰던 말',
  );
  await later.page.locator(of('composer')).press('Enter');
  await later.page.locator(mine, { hasText: '여기까지 쓰던 말' }).waitFor();
});

test('a request that is being changed is so after a kill, with its words and with what stood in the box before', async (t) => {
  const { shop, page, again } = await visit(t);
  await shop.say('안녕');
  await shop.sees('the reply', written);
  const kept = (where, words) =>
    finds(where, async (w) => (await window.go.main.App.Snapshot()).drafts.main?.includes(w), words);
  const box = (where) => where.locator(of('composer'));
  const holds = (where, words) =>
    where.waitForFunction((w) => document.querySelector('[data-testid="composer"]').value === w, words);
  await box(page).fill('여기까지 쓰던 말');
  await press(page, page.locator(mine), '고쳐서 다시 보내기');
  await box(page).fill('안녕, 잘 지내?');
  await kept(page, '잘 지내');

  const later = await again();
  await holds(later.page, '안녕, 잘 지내?');
  await later.page.locator(`${mine}.edited`).waitFor();
  await later.window.screenshot('edit-after-restart');
  await later.page.getByRole('button', { name: '그만두기' }).click();
  await holds(later.page, '여기까지 쓰던 말');

  // It is still the request that is said anew, and what was typed before comes back.
  await press(later.page, later.page.locator(mine), '고쳐서 다시 보내기');
  await box(later.page).fill('고마워');
  await kept(later.page, '고마워');
  const last = await again();
  await holds(last.page, '고마워');
  await box(last.page).press('Enter');
  await last.page.locator('[data-testid="version-at"]', { hasText: '2/2' }).waitFor();
  assert.deepEqual(await said(last.page), ['고마워']);
  await holds(last.page, '여기까지 쓰던 말');

  // Where that request is gone, nothing of either is.
  await kept(last.page, '{"text":"여기까지 쓰던 말"');
  const change = { id: 'gone', draft: '여기까지 쓰던 말', resumed: true };
  await call(last.page, 'SaveDraft', 'main', JSON.stringify({ text: '고쳐 쓴 말', change }));
  const gone = await last.again();
  await holds(gone.page, '여기까지 쓰던 말\n\n고쳐 쓴 말');
  assert.equal(await gone.page.getByRole('button', { name: '그만두기' }).count(), 0);
});

test('words are found in a chat with Ctrl+F', async (t) => {
  const { shop, page, window } = await visit(t);
  for (const words of ['안녕 하나', '고마워', '안녕 둘']) {
    await shop.say(words);
    await page.locator(mine, { hasText: words }).waitFor();
  }
  await shop.sees('three replies', written, { count: 3 });
  await window.press('Control+f');
  await page.locator('[data-testid="find-in-chat"]').fill('안녕 하나');
  await page.locator('[data-testid="find-count"]', { hasText: '1개 가운데 1번째' }).waitFor();
  await page.locator(`${mine}.hit`, { hasText: '안녕 하나' }).waitFor();
  await window.screenshot('find-in-chat');
  await nothingSerious(page, 'find in a chat');
  await window.press('Escape');
  await shop.sees('no bar', '[data-testid="find-bar"]', { count: 0 });
});

test('a project groups chats and carries what holds in them; a chat can be put away', async (t) => {
  const { shop, page, window, again } = await visit(t);
  await shop.say('안녕');
  await shop.sees('the reply', written);
  await menu(page, '안녕');
  await page.locator('[data-testid="to-project"]').click();
  await page.locator('[data-testid="new-project"]').click();
  await page.locator('#project-name').fill('이사');
  await page.locator('#project-instructions').fill('존댓말로 짧게');
  await window.screenshot('project-dialog');
  await nothingSerious(page, 'a project');
  await page.locator('[data-testid="save-project"]').click();
  await page.locator('[data-testid="project"]', { hasText: '이사' }).waitFor();
  const [project] = await call(page, 'Projects');
  assert.equal(project.instructions, '존댓말로 짧게');
  await call(page, 'AddProjectFact', project.id, '이사는 5월 3일이다');
  await window.screenshot('project-list');

  const later = await again();
  await later.page.locator('[data-testid="project"]', { hasText: '이사' }).waitFor();
  await menu(later.page, '안녕');
  await later.page.locator('[data-testid="archive-chat"]').click();
  await later.page.locator('[data-testid="archived-chats"] summary').click();
  await later.page.locator('[data-testid="archived-chats"] li', { hasText: '안녕' }).waitFor();
});
