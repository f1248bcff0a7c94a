// A request said once more: what its old version did is taken back before, nothing is done twice, and a result begins a chat of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

const mine = of('chat-message', { role: 'customer' });
const result = of('chat-message', { role: 'job' });
const call = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);
const notes = async (page) => (await call(page, 'Notes', '')).notes?.map((n) => n.text) ?? [];
/** Waits until these notes stand there, and no others. */
const noted = (page, ...want) =>
  finds(
    page,
    async (w) =>
      JSON.stringify(((await window.go.main.App.Notes('')).notes ?? []).map((n) => n.text)) ===
      JSON.stringify(w),
    want,
  );
const world = (page) => page.locator(of('edit-world'));

/** What stands in the chat belongs to the second version, and the work it began is done: on none of the tickets from before. */
async function doneAnew(shop, page, before) {
  await page.locator(of('version-at'), { hasText: '2/2' }).waitFor();
  const others = before.map((job) => `:not([data-job="${job}"])`).join('');
  await shop.sees('the work of the second version', of('job-card', { state: 'succeeded' }) + others);
}

const tickets = async (shop) => (await shop.find(of('job-card'))).map((card) => card.job);

async function press(page, line, name) {
  await line.hover();
  await line.getByRole('button', { name, exact: true }).click();
}

/** Waits until it is asked about what is to be taken back. */
const asked = (page) =>
  page
    .locator(`${of('ask-card')}[data-ready]`)
    .first()
    .waitFor();

/** Answers the question about what is to be taken back, as soon as it takes clicks. */
const answer = (page, choice) =>
  page
    .locator(`${of('ask-card')}[data-ready] [data-choice="${choice}"]`)
    .first()
    .click();

test('an edit takes back what the old version wrote, before the new one is heard', async (t) => {
  const { shop, page, window } = await visit(t);
  const [old] = await shop.order('메모해줘: 우유 사기');
  await shop.jobIs(old, 'succeeded');
  assert.deepEqual(await notes(page), ['우유 사기']);
  await press(page, page.locator(mine), '고쳐서 다시 보내기');
  await world(page).getByRole('radio', { name: '되돌리기' }).click();
  await page.locator(of('composer')).fill('메모해줘: 빵 사기');
  await window.press('Enter');

  // What is asked stands first, with the words still in the box; a no leaves everything as it was.
  await asked(page);
  await window.screenshot('version-taking-back');
  await nothingSerious(page, 'taking back');
  assert.equal(await page.locator(of('composer')).inputValue(), '메모해줘: 빵 사기');
  assert.equal(await page.locator(of('composer')).isEditable(), false);
  await answer(page, 'reject');
  await page.getByRole('button', { name: '거절하고 보내기' }).click();
  await page.locator('.toast', { hasText: '쓴 말은 그대로' }).waitFor();
  assert.deepEqual(await notes(page), ['우유 사기']);
  assert.equal(await page.locator(of('composer')).inputValue(), '메모해줘: 빵 사기');

  assert.equal(await page.locator(of('composer')).isEditable(), true);

  // Who goes elsewhere meanwhile has it sent no less.
  const before = await tickets(shop);
  await page.locator(of('composer')).press('Enter');
  await asked(page);
  await window.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  await shop.approve();
  await noted(page, '빵 사기');
  await page.locator('.name[data-chat="main"]').click();
  await page.locator(mine, { hasText: '빵 사기' }).waitFor();
  await doneAnew(shop, page, before);
});

test('a result is given again: what only read at once, what wrote after it was taken back', async (t) => {
  const { shop, page, window } = await visit(t, {
    settings: { lang: 'en', theme: 'dark' },
    context: { viewport: { width: 720, height: 520 } },
  });
  const [sum] = await shop.order('what is 12 times 3?');
  await shop.jobIs(sum, 'succeeded');
  const again = page.locator(result).getByTestId('again');
  await page.locator(result).hover();
  await window.screenshot('version-ticket-buttons');
  await again.click();
  await doneAnew(shop, page, [sum]);
  assert.equal(await world(page).count(), 0, 'nothing was asked');

  await window.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  const [note] = await shop.order('note: buy milk');
  await shop.jobIs(note, 'succeeded');
  const kept = await notes(page);
  assert.equal(kept.length, 1);
  await page.locator(result).hover();
  await again.click();
  await world(page).getByRole('radio', { name: 'Take back', checked: true }).waitFor();
  await window.screenshot('version-again-world');
  await nothingSerious(page, 'what is given again');
  assert.equal(await overflows(page), false);
  await page.locator(of('composer')).press('Enter');
  await asked(page);
  await window.screenshot('version-again-taking');
  assert.equal(await overflows(page), false);
  await shop.approve();
  await doneAnew(shop, page, [note]);
  await noted(page, ...kept);
});

test('a chat begins from a result, where the work of the other is not done once more', async (t) => {
  const { shop, page } = await visit(t);
  const [note] = await shop.order('메모해줘: 우유 사기');
  await shop.jobIs(note, 'succeeded');
  await call(page, 'RenameChat', 'main', '장보기');
  await press(page, page.locator(result), '여기서 새 대화로 갈라내기');
  await page.locator('.list li', { hasText: '장보기 (갈래)' }).waitFor();
  await shop.sees('the result there, too', result);
  await page.locator(result).hover();
  assert.equal(await page.locator(result).getByTestId('again').count(), 0);
  assert.deepEqual(await notes(page), ['우유 사기']);
});
