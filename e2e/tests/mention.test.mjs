// Resources of outside servers, named in a message behind an @: chosen with the keys, filled in, read, sent, and gone.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { inRepo } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const costs = {
  uri: 'notes://trip/costs',
  name: '출장비',
  description: '올해 것',
  text: '# 출장비\n\n숙박비는 하루 8만원이다.\n',
};
const other = { uri: 'notes://holidays', name: '휴가', text: '휴가는 15일이다.' };
const templates = [{ uriTemplate: 'notes://by/{month}', name: '달마다' }];

for (const lang of ways(['ko', 'en'], import.meta.url))
  each(`a resource goes with a message (${lang})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'agentchat-mention-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const [tools, shelf] = [join(folder, 'tools.json'), join(folder, 'shelf.json')];
    writeFileSync(tools, '[]');
    const has = (...resources) => writeFileSync(shelf, JSON.stringify({ resources, templates }));
    has(costs, other);
    const { window, page } = await visit(t, { settings: { lang, theme: lang === 'ko' ? 'light' : 'dark' } });
    await page.evaluate(
      (text) => window.go.main.App.SetMCP(text),
      JSON.stringify({
        mcpServers: {
          notes: { command: process.execPath, args: [inRepo('e2e/lib/outside-server.mjs'), tools, shelf] },
        },
      }),
    );
    await finds(page, async () => (await window.go.main.App.MCP()).servers[0]?.state === 'ready');

    await page.evaluate(() => {
      const real = window.go.main.App.ResourcesMCP;
      window.__listed = 0;
      window.go.main.App.ResourcesMCP = () => real().finally(() => window.__listed++);
    });

    const box = page.locator(of('composer'));
    const list = page.locator(of('resource-list'));
    const options = list.getByRole('option');
    const chip = page.locator(of('chip', { state: 'ready' }));
    await box.pressSequentially('보세요 @');
    await options.nth(2).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: lang === 'ko' ? '자료 3개' : '3 resources' })
      .waitFor();
    await nothingSerious(page, 'the list behind an @');
    await window.screenshot(`mention-${lang}`);
    await page.setViewportSize({ width: 720, height: 520 });
    assert.equal(await overflows(page), false);
    await window.screenshot(`mention-small-${lang}`);
    await page.setViewportSize({ width: 1280, height: 840 });

    // Escape puts it away and leaves what was typed; more letters bring it back, narrower.
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    assert.equal(await box.inputValue(), '보세요 @');
    await box.pressSequentially('출장');
    await options.waitFor();
    await page.keyboard.press('Enter');
    await chip.filter({ hasText: 'notes://trip/costs' }).waitFor();
    assert.equal(await box.inputValue(), '보세요 ');

    // What asks for more is read once it is filled in; left with Escape, its letters stand where they were.
    await box.pressSequentially('@');
    await options.nth(2).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const form = page.locator(of('resource-form'));
    await form.getByLabel('month').waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.value === '보세요 @');
    await page.keyboard.press('Backspace');
    await box.pressSequentially('@');
    await options.nth(2).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await form.getByLabel('month').fill('3월');
    await nothingSerious(page, 'what a resource asks for');
    await window.screenshot(`mention-form-${lang}`);
    await page.keyboard.press('Enter');
    await chip.filter({ hasText: 'notes://by/3%EC%9B%94' }).waitFor();
    await page.locator(of('chip-remove')).nth(1).click();

    // One that is gone says so, and nothing of what was typed is lost.
    await box.fill('숙박비가 얼마야? ');
    await box.press('End');
    const listed = await page.evaluate(() => window.__listed);
    await box.pressSequentially('@휴');
    await options.waitFor();
    await page.waitForFunction((before) => window.__listed > before, listed);
    has(costs);
    await page.keyboard.press('Enter');
    const refused = page.locator(of('chip', { state: 'refused' }));
    await refused.getByRole('alert').filter({ hasText: 'Resource not found' }).waitFor();
    assert.equal(await box.inputValue(), '숙박비가 얼마야? ');
    await window.screenshot(`mention-gone-${lang}`);
    await refused.locator(of('chip-remove')).click();

    await box.press('Enter');
    const said = page.locator(of('chat-message', { role: 'customer' }));
    await said.locator(of('came-from')).filter({ hasText: 'notes://trip/costs' }).waitFor();
    await page
      .locator(of('chat-message', { role: 'shop' }))
      .filter({ hasText: '8만원' })
      .waitFor();
    await nothingSerious(page, 'a message with a resource');
    await window.screenshot(`mention-said-${lang}`);
  });
