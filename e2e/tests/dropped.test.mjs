// A settings file of outside tools that is dropped where one types it is read there, and is no file for the library.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { handOut } from '../lib/drop.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

test('an mcp.json that is dropped is read like words that are pasted', async (t) => {
  const { page, shop, window } = await visit(t);
  await shop.goTo('outside');
  const box = page.getByTestId('outside-page').locator('textarea').first();
  await box.waitFor();
  await box.evaluate((area) => {
    const data = new DataTransfer();
    const text = JSON.stringify({ mcpServers: { notes: { command: 'agentchat-none', args: ['--here'] } } });
    data.items.add(new File([text], 'mcp.json', { type: 'application/json' }));
    for (const type of ['dragenter', 'dragover', 'drop'])
      area.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
  });
  await handOut(page, [join(tmpdir(), 'mcp.json')]); // and Wails tells of its path, as it does of every drop
  await page.waitForFunction(() => document.body.innerText.includes('agentchat-none'));
  await window.screenshot('outside-dropped');
  await shop.sees('the page still', of('outside-page'));
  const { imports } = await page.evaluate(() => window.go.main.App.Library());
  assert.equal(imports.length, 0, 'nothing went to the library');
});
