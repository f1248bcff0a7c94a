// The page of all jobs in a shop of years: 20,000 of them, of which only those in sight are drawn.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { asPrograms } from '../lib/compiled.mjs';
import { root } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const MANY = 20_000;
const list = of('ticket-list');
const row = of('ticket-row');

const prepare = (folder) =>
  execFileSync('go', ['run', ...asPrograms, './e2e/stock', folder, String(MANY)], { cwd: root });

/** What changes in the list in so many pictures. */
const changesInPage = ([selector, frames]) =>
  new Promise((resolve) => {
    let changes = 0;
    const watcher = new MutationObserver((records) => (changes += records.length));
    const whole = { subtree: true, childList: true, attributes: true, characterData: true };
    watcher.observe(document.querySelector(selector), whole);
    const next = (left) => (left ? requestAnimationFrame(() => next(left - 1)) : resolve(changes));
    next(frames);
  });

test('20,000 jobs are gone through, narrowed, followed and done again', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko', theme: 'light' }, prepare });
  const total = (n) =>
    page
      .locator(of('tickets-total'))
      .filter({ hasText: new RegExp(`^${n}개$`) })
      .waitFor();
  const choose = (name, value) => page.getByRole('combobox', { name, exact: true }).selectOption(value);
  await shop.goTo('tickets');
  await shop.sees('the newest job', of('ticket-row', { job: `stocked-${MANY}` }));
  await total('20,000');
  await window.screenshot('tickets-1280-light-ko');
  await nothingSerious(page, 'all jobs');
  assert.equal(await page.evaluate(changesInPage, [list, 60]), 0, 'an idle list stands still');

  // To the end of what is there, again and again: more comes, and no more is drawn.
  for (let have = 0; have < 1000;) {
    await page.locator(list).evaluate((box) => (box.scrollTop = box.scrollHeight));
    await page.waitForFunction(
      ([selector, n]) => Number(document.querySelector(selector)?.dataset.rows) > n,
      [list, have],
    );
    have = Number(await page.locator(list).getAttribute('data-rows'));
    assert.ok((await page.locator(row).count()) < 60, 'only what is in sight is drawn');
  }

  await choose('상태', 'failed');
  await total('1,000');
  await shop.sees('the newest that failed', of('ticket-row', { job: `stocked-${MANY}`, state: 'failed' }));
  await choose('대화', 'errands');
  await total('500');
  await page.getByRole('button', { name: '조건 지우기' }).click();
  await page.getByRole('searchbox').fill('날씨 1999');
  await total('2'); // 19990 and 19995
  await page.getByRole('searchbox').fill('그런 일은 없어요');
  await page.getByText('조건에 맞는 일이 없어요.').first().waitFor();
  await page.getByRole('button', { name: '조건 지우기' }).click();
  await total('20,000');

  // A job that begins elsewhere comes on top, and is over there.
  await page.evaluate(() => window.go.main.App.Say('main', '12 곱하기 3은?', '', ''));
  const newest = page.locator(row).first();
  await shop.sees(
    'the new job',
    `${of('ticket-row', { state: 'succeeded' })}[aria-posinset="1"]:not([data-job^="stocked"])`,
  );
  await total('20,001');
  const first = await newest.getAttribute('data-job');
  await newest.getByRole('button', { name: /^다시 하기/ }).click();
  await total('20,002');
  await shop.sees('its second run', `${row}[aria-posinset="1"]:not([data-job="${first}"])`);

  // By keyboard, too: down the list, and into a job.
  await page.locator(`${row} .title`).first().focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(
    (id) => document.activeElement?.closest('[data-job]')?.dataset.job === id,
    first,
  );
  await page.keyboard.press('Enter');
  await shop.sees('its panel', of('job-panel', { job: first }));
  await shop.sees('its ticket', of('job-card', { job: first }));

  // What wrote a file is looked at before its words are said again.
  await shop.goTo('tickets');
  await choose('공구', 'file_write');
  await total('4,000');
  await page
    .locator(row)
    .nth(1)
    .getByRole('button', { name: /^다시 하기/ })
    .click();
  await page.getByRole('dialog').getByText('회의.txt에 한 줄을 적었어요').waitFor();
  await nothingSerious(page, 'the second look');
  await window.screenshot('tickets-sure');
  await page.getByRole('button', { name: '그만두기' }).click();

  await page.setViewportSize({ width: 720, height: 520 });
  await page.keyboard.press('Escape');
  assert.equal(await overflows(page), false);
  await window.screenshot('tickets-720-light-ko');
});

test('all jobs in a small, dark window', async (t) => {
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'en', theme: 'dark' },
    context: { viewport: { width: 720, height: 520 } },
    prepare,
  });
  await shop.goTo('tickets');
  await shop.sees('some jobs', row, { count: 3 });
  await page.getByRole('combobox', { name: 'Days' }).selectOption('chosen');
  await page.getByLabel('From this day on').fill('2020-01-01');
  await page.locator(of('tickets-total')).filter({ hasText: '20,000' }).waitFor();
  await nothingSerious(page, 'all jobs, dark');
  assert.equal(await overflows(page), false);
  await window.screenshot('tickets-720-dark-en');
  await page.setViewportSize({ width: 1280, height: 840 });
  await window.screenshot('tickets-1280-dark-en');
});
