// The page can be typed into before the window is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const shell = '.opening textarea';

/** Opens the page anew, and holds the window back until it is let in. */
async function opening(page) {
  let letIn;
  const held = new Promise((resolve) => (letIn = resolve));
  await page.route('**/assets/window-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await page.locator(`${shell}:focus`).waitFor();
  return letIn;
}

const edges = (page, selector) =>
  page.locator(selector).evaluate((e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    return [left, top, right, bottom].map(Math.round);
  });

/** Where the first letter stands. */
const words = (page, selector) =>
  page.locator(selector).evaluate((e) => {
    const { left, bottom } = e.getBoundingClientRect();
    const of = (name) => parseFloat(getComputedStyle(e)[name]);
    return [
      left + of('borderLeftWidth') + of('paddingLeft'),
      bottom - of('borderBottomWidth') - of('paddingBottom'),
    ].map(Math.round);
  });

for (const [width, height] of [
  [1280, 840],
  [720, 520],
])
  test(`what is typed before the window is there stays where it is (${width}×${height})`, async (t) => {
    const { page, shop } = await visit(t, { context: { viewport: { width, height } } });
    const letIn = await opening(page);
    const before = [await edges(page, shell), await words(page, shell)];
    const side = await edges(page, '.opening-side');
    await page.keyboard.type('우유 사');
    await page.route('**/assets/Timeline-*.js', () => {}); // what stands above the box never comes
    letIn();
    await shop.opened();
    const box = page.locator(of('composer'));
    assert.equal(await box.inputValue(), '우유 사');
    assert.deepEqual([await edges(page, '.composer'), await words(page, of('composer'))], before);
    assert.deepEqual(await edges(page, '.side'), side);
    await page.keyboard.type('기');
    assert.equal(await box.inputValue(), '우유 사기');
  });

test('an Enter before the window is there sends', async (t) => {
  const { page, shop } = await visit(t);
  const letIn = await opening(page);
  await page.keyboard.type('3 더하기 4는?');
  await page.keyboard.press('Enter');
  letIn();
  await shop.opened();
  await page.locator(of('chat-message', { role: 'customer' }), { hasText: '3 더하기 4는?' }).waitFor();
  assert.equal(await page.locator(of('composer')).inputValue(), '');
});
