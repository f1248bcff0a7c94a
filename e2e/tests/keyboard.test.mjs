// Everything can be reached and done without a mouse.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

/**
 * What has the focus, and whether that can be seen: it, or what stands round it, looks different without the focus.
 * `mark` tells the stops of one page apart.
 */
function focused(page) {
  return page.evaluate(() => {
    const e = document.activeElement;
    if (!e || e === document.body) return null;
    const look = () =>
      [e, e.parentElement, e.parentElement?.parentElement].filter(Boolean).map((x) => {
        const { outline, boxShadow, borderColor } = getComputedStyle(x);
        return [outline, boxShadow, borderColor].join();
      });
    const own = getComputedStyle(e);
    let ring = own.outlineStyle !== 'none' && parseFloat(own.outlineWidth) > 0;
    if (!ring) {
      const lit = look().join();
      e.blur();
      ring = look().join() !== lit;
      e.focus();
    }
    window.__stops ??= new Map();
    if (!window.__stops.has(e)) window.__stops.set(e, window.__stops.size);
    return {
      ...e.dataset,
      mark: window.__stops.get(e),
      testid: e.dataset.testid,
      text: e.textContent.trim().slice(0, 40),
      ring,
    };
  });
}

/**
 * Presses Tab round the whole page, from its top, and gives every stop. Between its two ends the focus is nowhere for a
 * moment.
 */
async function tour(page, limit = 150) {
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  const stops = new Map();
  for (let i = 0; i < limit; i++) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (!stop) continue;
    if (stops.has(stop.mark)) break;
    stops.set(stop.mark, stop);
  }
  return [...stops.values()];
}

test('Tab reaches the composer, every page and the switches of the settings, each with a ring', async (t) => {
  const { shop, page } = await visit(t, { context: { reducedMotion: 'reduce' } });
  await shop.sees('the menu of rooms, which comes after the first paint', of('nav-more'));
  const stops = await tour(page);
  for (const testid of ['composer', 'nav-chat', 'nav-toolbox', 'nav-settings', 'nav-more']) {
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

  for (const testid of ['lang-switch', 'theme-switch']) {
    assert.ok(
      stops.some((s) => s.testid === testid),
      `Tab never reaches ${testid}`,
    );
  }
  assert.match(stops[0].text, /건너뛰기/, 'the first stop leads to the message box');
  await page.locator(of('nav-more')).focus();
  await page.keyboard.press('Enter');
  await shop.sees('every room in the menu', `${of('nav-logs')}[role="menuitem"]`);
  await shop.sees('the first of them next', `${of('nav-chat')}[role="menuitem"]:focus`);
  await page.keyboard.press('ArrowUp');
  await shop.sees('the last before it', `${of('nav-help')}[role="menuitem"]:focus`);
  await page.keyboard.press('Escape');
  await shop.sees('the menu closed', '[role="menu"]', { count: 0 });
  await page.locator(of('nav-settings')).focus();
  await page.keyboard.press('Enter');
  await shop.sees('the settings page', `${of('nav-settings')}[aria-current]`);
});

test('the tabs of the panel are turned with the arrow keys, and are one stop', async (t) => {
  const { shop, page } = await visit(t);
  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.openJob(nav);
  const tab = (name, rest) => `${of('job-panel')} [role="tab"]#tab-${name}${rest}`;
  await page.locator(tab('talk', '')).focus();
  await page.keyboard.press('ArrowRight');
  await shop.sees('the log turned up', tab('log', ':focus[aria-selected="true"]'));
  await shop.sees('the other tab out of the way of Tab', tab('talk', '[tabindex="-1"]'));
  await page.keyboard.press('ArrowRight');
  await shop.sees('round to the first', tab('talk', ':focus[aria-selected="true"]'));
  await shop.stop(nav);
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

test('a shortcut is changed, kept, and never taken from another', async (t) => {
  const { page, again } = await visit(t, { settings: { lang: 'en' } });
  const key = (command) => page.locator(of('shortcut', { command }));
  await page.keyboard.press('Control+/');
  await key('search').click();
  await page.keyboard.press('Control+n');
  assert.match(await page.getByRole('alert').textContent(), /New chat.*already uses this key/);
  await page.keyboard.press('Control+c');
  assert.match(await page.getByRole('alert').textContent(), /system use this key/);
  await page.keyboard.press('Control+d');
  await key('search').filter({ hasText: 'Ctrl+D' }).waitFor();
  await page.keyboard.press('Escape');
  await key('search').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+d');
  await page.getByTestId('search').waitFor();
  // It is shown at once, and kept a moment later.
  await finds(page, async () =>
    (await window.go.main.App.Settings()).some((s) => s.key === 'shortcuts' && s.value),
  );

  const after = await again();
  await after.shop.opened();
  await after.page.keyboard.press('Control+/');
  const kept = after.page.locator(of('shortcut', { command: 'search' }));
  await kept.filter({ hasText: 'Ctrl+D' }).waitFor();
  await after.page.getByTestId('shortcuts-usual').click();
  await kept.filter({ hasText: 'Ctrl+K' }).waitFor();
});
