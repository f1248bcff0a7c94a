// Text of any size, high contrast, how much is asked, diagrams, and marks for what nobody has read.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { besieged } from '../lib/besieged.mjs';
import { nothingSerious, overflows } from '../lib/checks.mjs';
import { folderOf } from '../lib/room.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

const message = (id, role, text) => ({
  kind: 'chat.message',
  chat: 'main',
  data: { id, role, text, time: new Date().toISOString() },
});

test('text of 200 % in a small window: every page keeps to it, and Ctrl with 0 puts it back', async (t) => {
  const { shop, window, page, again } = await visit(t, {
    settings: { text_size: 200, lang: 'en' },
    context: { viewport: { width: 720, height: 520 } },
  });
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px');
  const cut = [];
  for (const name of await shop.pages()) {
    await shop.goTo(name);
    await window.screenshot(`comfort-200-${name}`);
    if (await overflows(page)) cut.push(name);
  }
  assert.deepEqual(cut, [], 'these pages scroll sideways');
  await page.keyboard.press('Control+0');
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '16px');
  await page.keyboard.press('Control+=');
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '17.6px');
  // It is seen before the shop has it.
  await finds(page, async () =>
    (await window.go.main.App.Settings()).some((s) => s.key === 'text_size' && s.value === 110),
  );
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
  await shop.sees('what is chosen', '[role="radio"][aria-checked="true"]');
  const told = () =>
    page.evaluate(() => {
      const one = getComputedStyle(document.querySelector('[role="radio"][aria-checked="true"]'));
      const other = getComputedStyle(document.querySelector('[role="radio"][aria-checked="false"]'));
      return one.backgroundColor !== other.backgroundColor && one.color !== other.color;
    });
  assert.ok(await told(), 'what is chosen looks like what is not');
  await page.emulateMedia({ forcedColors: 'active' });
  await window.screenshot('comfort-forced-colors');
  assert.ok(await told(), 'what is chosen looks like what is not, in the colours of the system');
});

test('how much is asked is chosen on the permissions page, and each choice has its effect', async (t) => {
  const { shop, page, window } = await visit(t, { settings: { lang: 'en' } });
  const path = folderOf(t);
  const file = join(path, '회의.txt');
  await page.evaluate((p) => window.go.main.App.OpenFolder(p, true, ''), path);
  const choose = async (mode) => {
    await shop.goTo('permissions');
    const choice = `[data-testid="permission-mode"] [data-value="${mode}"]`;
    await page.locator(choice).click();
    await page.locator(`${choice}[aria-checked="true"]`).waitFor();
    await finds(page, async (m) => (await window.go.main.App.Permissions()).mode === m, mode);
    await window.screenshot(`comfort-mode-${mode}`);
    await shop.goTo('chat');
    await shop.sees('the chat', of('composer'));
  };
  const refuse = async (job) => {
    await shop.questionOf(job, 'approval');
    await shop.stop(job);
    await page.keyboard.press('Escape');
    await shop.sees('the panel closed', of('job-panel'), { count: 0 });
  };

  await choose('ask_all');
  const [noted] = await shop.order('장보기 우유 사야 한다고 메모해줘');
  await page.locator(of('ask-card'), { hasText: '모두 묻기로' }).waitFor();
  await refuse(noted);

  await choose('ask_matters');
  const [added] = await shop.order("회의.txt에 '하나 더' 추가해줘");
  await shop.jobIs(added, 'succeeded');
  assert.equal(readFileSync(file, 'utf8'), '안건 하나\n안건 둘\n하나 더\n', 'what adds only runs');
  const [gone] = await shop.order('회의.txt 지워줘');
  await refuse(gone);
  assert.ok(existsSync(file), 'what deletes asks');

  await choose('my_rules');
  const [asked] = await shop.order("회의.txt에 '둘 더' 추가해줘");
  await refuse(asked);
  const [sum] = await shop.order('12 곱하기 3은?');
  await shop.jobIs(sum, 'succeeded');
  await page.evaluate(() => window.go.main.App.SetPolicyRules([{ tool: 'file_write', decision: 'allow' }]));
  const [ruled] = await shop.order("회의.txt에 '셋 더' 추가해줘");
  await shop.jobIs(ruled, 'succeeded');
  assert.equal(readFileSync(file, 'utf8'), '안건 하나\n안건 둘\n하나 더\n셋 더\n');
});

test('a diagram is drawn once it is wanted, and one that cannot be stays a text', async (t) => {
  const { page, tell, window } = await besieged(t);
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').map((r) => r.name));
  assert.ok(!(await loaded()).some((name) => /diagram|mermaid/.test(name)), 'the first picture loads it');
  const good =
    '```mermaid\n%%{init: {"themeCSS": "@import url(https://example.org/x.css)"}}%%\ngraph TD; A["<img src=x onerror=alert(1)>"]-->B; click B href "https://example.org/out"\n```';
  await tell(message('d-1', 'shop', good), message('d-2', 'shop', '```mermaid\nthis is no diagram\n```'));
  await page.locator('[data-id="d-1"] .diagram.drawn img').waitFor();
  await page.locator('[data-id="d-2"] .undrawn').waitFor();
  const picture = await page.locator('[data-id="d-1"] .diagram img').evaluate((img) => ({
    wide: img.naturalWidth,
    text: atob(img.src.split(',')[1]),
  }));
  assert.ok(picture.wide > 20, 'the picture holds something');
  assert.doesNotMatch(picture.text, /<script|<img|<foreignObject|@import|href="http/);
  assert.equal(await page.locator('[data-id="d-1"] pre').isVisible(), false);
  await page.locator('[data-id="d-1"] .code-more').click();
  assert.equal(await page.locator('[data-id="d-1"] pre').isVisible(), true);
  assert.deepEqual(
    (await loaded()).filter((name) => name.includes('example.org')),
    [],
  );
  await window.screenshot('comfort-diagram');
});

test('code says its language, and is copied as it is', async (t) => {
  const { page, tell } = await besieged(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  let colours; // come while it is being copied, and the code is drawn anew with them
  await page.route('**/highlight-*.js', (route) => (colours = () => route.continue()));
  await tell(message('c-1', 'shop', 'So:\n\n```python\nif a < b:\n    print("한글")\n```'));
  const code = page.locator('[data-id="c-1"] .code');
  assert.equal((await code.locator('.code-head span').innerText()).toLowerCase(), 'python');
  await code.locator('.code-copy').click();
  await colours();
  await code.locator('.hljs-keyword').first().waitFor();
  await code.locator('.code-copy.copied').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'if a < b:\n    print("한글")\n');
});

test('a chat in which something was said meanwhile is marked until one looks', async (t) => {
  const { page, tell } = await besieged(t);
  await tell(
    { kind: 'chat.created', chat: 'other', data: { id: 'other', title: 'Other' } },
    {
      kind: 'chat.message',
      chat: 'other',
      data: { id: 'm-1', role: 'shop', text: 'done', time: new Date().toISOString() },
    },
  );
  await page.locator(of('unread')).waitFor();
  await page.locator('.list button.name', { hasText: 'Other' }).click();
  await page.locator(of('unread')).waitFor({ state: 'detached' });
});

/** Notes, as a screen reader would, everything that is added to or changed in a live region. */
function listenInPage() {
  window.heard = [];
  const loud =
    '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], [role="log"]:not([aria-live="off"])';
  const regionOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest(loud);
  new MutationObserver((changes) => {
    for (const { target, addedNodes, type } of changes) {
      const region = regionOf(target);
      if (!region || region.dataset.testid === 'chat-status') continue; // which says what one waits for
      const texts = type === 'characterData' ? [target.data] : [...addedNodes].map((n) => n.textContent);
      for (const text of texts)
        if (text.trim()) window.heard.push({ how: region.getAttribute('aria-live'), text: text.trim() });
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

test('what is said is read out once and whole; two things of one moment are both said, the urgent one first', async (t) => {
  const { page, tell } = await besieged(t);
  await page.evaluate(listenInPage);
  const token = (delta) => ({ kind: 'chat.token', chat: 'main', data: { id: 's-1', delta } });
  await tell(token('Once '), token('upon '));
  await page.getByText('Once upon').first().waitFor();
  await tell(token('a time'));
  await tell(message('s-1', 'shop', 'Once upon **a time**.'), message('s-2', 'job', 'The note is written.'), {
    kind: 'error',
    chat: 'main',
    data: { code: 'disk_full', message: 'The disk is full.' },
  });
  const calm = page.getByTestId('said-calm');
  await calm.getByText('The note is written.').waitFor();
  await page.getByTestId('said-urgent').getByText('The disk is full.').waitFor();
  const heard = await page.evaluate(() => window.heard);
  assert.deepEqual(heard, [
    { how: 'assertive', text: 'The disk is full.' },
    { how: 'polite', text: 'Once upon a time.' },
    { how: 'polite', text: 'The note is written.' },
  ]);
});
