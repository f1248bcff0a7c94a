// Everything can be reached and done without a mouse.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

/** What has the focus: its test id, data attributes, role and whether a focus ring can be seen. */
function focused(page) {
  return page.evaluate(() => {
    const e = document.activeElement;
    if (!e || e === document.body) return null;
    const style = getComputedStyle(e);
    const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    const within = e.closest('[data-testid]');
    const shadow = style.boxShadow !== 'none' || (within && getComputedStyle(within).boxShadow !== 'none');
    const around = within && getComputedStyle(within).outlineStyle !== 'none';
    return {
      testid: e.dataset.testid ?? null,
      tag: e.tagName,
      text: e.textContent.trim().slice(0, 40),
      ring: ring || shadow || around,
      ...e.dataset,
    };
  });
}

/** Presses Tab round the whole page and gives every stop. */
async function tour(page, limit = 120) {
  const stops = [];
  const seen = new Set();
  await page.evaluate(() => document.activeElement?.blur());
  for (let i = 0; i < limit; i++) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (!stop) break;
    const key = await page.evaluate(() => {
      const e = document.activeElement;
      return (e.dataset.tabMark ??= String(document.querySelectorAll('[data-tab-mark]').length));
    });
    if (seen.has(key)) break;
    seen.add(key);
    stops.push(stop);
  }
  return stops;
}

test('Tab reaches the composer, every page and the switches of the settings, each with a ring', async (t) => {
  const { shop, page } = await visit(t);
  const stops = await tour(page);
  for (const testid of ['composer', 'nav-chat', 'nav-toolbox', 'nav-logs', 'nav-settings']) {
    assert.ok(
      stops.some((s) => s.testid === testid),
      `Tab never reaches ${testid}: ${JSON.stringify(stops.map((s) => s.testid ?? s.text))}`,
    );
  }
  assert.deepEqual(
    stops.filter((s) => !s.ring),
    [],
    'each stop shows that it has the focus',
  );

  await page.locator(of('nav-settings')).focus();
  await page.keyboard.press('Enter');
  await shop.sees('the settings', of('lang-switch'));
  const settings = await page.evaluate(() =>
    ['lang-switch', 'theme-switch'].map((id) => {
      const e = document.querySelector(`[data-testid="${id}"]`);
      return (
        e.matches('button,input,select,a[href]') ||
        e.querySelector('button,input,select,a[href],[tabindex="0"]') !== null
      );
    }),
  );
  assert.deepEqual(settings, [true, true]);
});

test('a question is answered with keys alone', async (t) => {
  const { shop, page } = await visit(t);
  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.jobIs(nav, 'running');
  const [film] = await shop.order('영화도 틀어줘');
  await shop.sees('the waiting tile', of('waiting-tile', { job: film }));
  await page.locator(of('waiting-tile', { job: film })).focus();
  await page.keyboard.press('Enter');
  const cancel = `${of('job-panel')} ${of('ask-card', { kind: 'lock' })} [data-choice="cancel"]`;
  await shop.sees('the question in the panel', `${cancel}:not(:disabled)`);

  let stop;
  for (let i = 0; i < 80 && stop?.choice !== 'cancel'; i++) {
    await page.keyboard.press('Tab');
    stop = await focused(page);
  }
  assert.equal(stop?.choice, 'cancel', 'Tab reaches the buttons of the question');
  await page.keyboard.press('Enter');
  await shop.jobIs(film, 'canceled');
  await shop.stop(nav);
});

test('typing anywhere goes to the composer, Escape closes the panel', async (t) => {
  const { shop, page } = await visit(t);
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.type('hello');
  assert.equal(await page.locator(of('composer')).inputValue(), 'hello');
  await page.locator(of('composer')).fill('');
  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.openJob(nav);
  await page.keyboard.press('Escape');
  await shop.sees('the panel closed', of('job-panel'), { count: 0 });
});
