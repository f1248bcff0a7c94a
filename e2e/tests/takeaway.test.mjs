// What people take away: a chat, a reply and a job become files by the window's menus.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nothingSerious } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const toast = '.toaster .toast';
const formats = '[role="menuitem"][data-format]';

/** The system's dialog is the system's: here it answers with a path in this folder. What it was asked is kept. */
async function withDialog(t, page) {
  const dir = mkdtempSync(join(tmpdir(), 'agentchat-e2e-'));
  t.after(() => rmSync(dir, { recursive: true }));
  await page.evaluate((folder) => {
    const app = window.go.main.App;
    const write = app.Export;
    window.saved = [];
    app.Export = (what, format, path, title, name) => {
      window.saved.push({ format, title, name });
      return write(what, format, `${folder}/${window.saved.length}.${format}`, title, name);
    };
  }, dir);
  return (name) => readFileSync(join(dir, name));
}

for (const [lang, words] of ways(
  Object.entries({
    ko: { ask: '12 곱하기 34는?', word: '워드 문서', saved: /저장했어요/ },
    en: { ask: 'what is 12 times 34?', word: 'Word document', saved: /Saved/ },
  }),
  import.meta.url,
)) {
  each(`a chat, a reply and a job are saved as files (${lang})`, async (t) => {
    const { shop, window, page } = await visit(t, { settings: { provider: 'builtin', lang } });
    const file = await withDialog(t, page);
    const [job] = await shop.order(words.ask);
    await shop.sees('the sum', of('job-card', { job, state: 'succeeded' }));

    // The chat, by its row.
    await page.locator('.list li').first().hover();
    await page.locator('.list li .chat-more').first().click();
    await page.locator(of('export-chat')).click();
    await shop.sees('the kinds of files', formats, { count: 4 });
    await nothingSerious(page, 'the menu of a chat');
    await window.screenshot(`takeaway-chat-${lang}`);
    await page.locator('[data-format="pdf"]').click();
    await page.locator(toast, { hasText: words.saved }).waitFor();
    assert.match(file('1.pdf').subarray(0, 8).toString(), /^%PDF-1\.7/);

    // What the job brought, by its panel.
    await shop.openJob(job);
    await page.locator(`${of('job-panel')} ${of('export')}`).click();
    await shop.sees('the kinds of files', formats, { count: 4 });
    await window.screenshot(`takeaway-job-${lang}`);
    await page.locator(formats, { hasText: words.word }).click();
    await page.locator(toast, { hasText: '2.docx' }).waitFor();
    assert.equal(file('2.docx').subarray(0, 2).toString(), 'PK');

    assert.deepEqual(await page.evaluate(() => window.saved.map((s) => s.format)), ['pdf', 'docx']);
    assert.equal(await page.evaluate(() => window.saved[0].name.includes('12')), true);
  });
}
