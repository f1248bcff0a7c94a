// What a person takes away, in the production window: the talk as a PDF, by the menu and the system's own save dialog, with the keyboard and
// the pointer that are there. The PDF is looked at as a reader of PDFs draws it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';

import { run } from '../lib/children.mjs';
import { saveIn } from '../lib/dialog.mjs';
import { openDisplay } from '../lib/display.mjs';
import { folderOf, visitNative } from '../lib/native-visit.mjs';
import { screenshotPath } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';
import { each, ways } from '../lib/ways.mjs';

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

const words = {
  ko: {
    ask: '12 곱하기 34는?',
    then: '42 km는 몇 마일이야?',
    dialog: '저장할 곳',
    cited: /12 곱하기 34/,
  },
  en: {
    ask: 'what is 12 times 34?',
    then: 'how many miles are 42 km?',
    dialog: 'Where to save it',
    cited: /12 times 34/,
  },
};

for (const [lang, said] of ways(Object.entries(words), import.meta.url)) {
  each(`the talk is saved as a PDF by the system's dialog, ${lang}`, async (t) => {
    const { window, shop } = await visitNative(t, display, { lang, theme: 'light' });
    const folder = folderOf(t, 'taken');
    const [job] = await shop.order(said.ask);
    await shop.jobIs(job, 'succeeded');
    const [second] = await shop.order(said.then);
    await shop.jobIs(second, 'succeeded');
    await window.screenshot(`native-takeaway-window-${lang}`);

    await window.click('.list li .chat-more');
    await window.click(of('export-chat'));
    await shop.sees('PDF', '[data-format="pdf"]');
    await window.screenshot(`native-takeaway-menu-${lang}`);
    await window.click('[data-format="pdf"]');
    await saveIn(display.env, said.dialog, folder, { shot: `native-takeaway-dialog-${lang}` });
    await shop.sees('that it was saved', '.toaster .toast.done');
    await window.screenshot(`native-takeaway-saved-${lang}`);

    const files = readdirSync(folder);
    assert.equal(files.length, 1, `${files}`);
    assert.match(files[0], /\.pdf$/);
    const file = join(folder, files[0]);
    assert.match(readFileSync(file).subarray(0, 8).toString(), /^%PDF-1\.7/);
    const text = await run('pdftotext', ['-layout', file, '-']);
    assert.match(text, said.cited);
    assert.match(text, /408/);
    await run('pdftoppm', [
      '-r',
      '70',
      '-png',
      '-singlefile',
      file,
      screenshotPath(`native-takeaway-page-${lang}`).replace(/\.png$/, ''),
    ]);
  });
}
