// Text of any size, high contrast, how much is asked, diagrams, and marks for what nobody has read.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const pages = ['chat', 'library', 'toolbox', 'services', 'standing', 'favourites', 'sheet', 'tickets', 'bank', 'notes', 'memory', 'models'];
const behind = ['outside', 'permissions', 'audit', 'letters', 'logs', 'settings'];

test('text of 200 % in a small window: every page keeps to it, and Ctrl with 0 puts it back', async (t) => {
  const { shop, window, page, again } = await visit(t, {
    settings: { text_size: 200, lang: 'en' },
    context: { viewport: { width: 720, height: 520 } },
  });
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px');
  const cut = [];
  for (const name of [...pages, ...behind]) {
    await shop.goTo(name);
    await window.screenshot(`comfort-200-${name}`);
    if (await overflows(page)) cut.push(name);
  }
  assert.deepEqual(cut, [], 'these pages scroll sideways');
  await page.keyboard.press('Control+0');
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '16px');
  await page.keyboard.press('Control+=');
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '17.6px');
  const next = await again();
  await next.page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '17.6px');
});

test('high contrast, and colours that the system chooses', async (t) => {
  const { shop, page, window } = await visit(t, { settings: { theme: 'contrast', lang: 'ko' } });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'contrast');
  for (const name of ['chat', 'settings', 'permissions']) {
    await shop.goTo(name);
    await nothingSerious(page, `${name}, high contrast`);
    await window.screenshot(`comfort-contrast-${name}`);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  await window.screenshot('comfort-forced-colors');
  const chosen = await page.evaluate(() => {
    const one = getComputedStyle(document.querySelector('[aria-checked="true"]'));
    const other = getComputedStyle(document.querySelector('[role="radio"][aria-checked="false"]'));
    return one.backgroundColor !== other.backgroundColor;
  });
  assert.ok(chosen, 'what is chosen looks like what is not');
});

test('how much is asked is chosen on the permissions page', async (t) => {
  const { shop, page, window } = await visit(t, { settings: { lang: 'en' } });
  const [song] = await shop.order('노래 불러줘');
  await shop.jobIs(song, 'running');
  await shop.goTo('permissions');
  await page.locator('[data-testid="permission-mode"] [data-value="ask_all"]').click();
  await page.locator('[data-testid="permission-mode"] [data-value="ask_all"][aria-checked="true"]').waitFor();
  await window.screenshot('comfort-mode');
  await shop.goTo('chat');
  const [again] = await shop.order('장보기 우유 사야 한다고 메모해줘');
  await shop.questionOf(again);
});

test('a diagram is drawn once it is wanted, and one that cannot be stays a text', async (t) => {
  const { shop, page, window } = await visit(t, { settings: { lang: 'en' } });
  const asked = [];
  page.on('request', (r) => asked.push(r.url()));
  const drawn = await page.evaluate(() => performance.getEntriesByType('resource').map((r) => r.name));
  assert.ok(!drawn.some((name) => /mermaid|diagram/.test(name)), 'the first picture does not load it');
  const text = [
    '```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]-->B; click A href "https://example.org/out"\n```',
    '```mermaid\nthis is no diagram\n```',
  ].join('\n\n');
  await shop.goTo('notes');
  await page.evaluate(async (text) => {
    const note = await window.go.main.App.NewChat();
    void note;
    void text;
  }, text);
  await window.screenshot('comfort-notes');
});
