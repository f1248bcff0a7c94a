// Files dragged from another program into the production window, with a real pointer on a real display server.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { run } from '../lib/children.mjs';
import { openDisplay } from '../lib/display.mjs';
import { contract, docx } from '../lib/documents.mjs';
import { dragSource } from '../lib/drag-source.mjs';
import { openNativeWindow } from '../lib/native-window.mjs';
import { dataFolder } from '../lib/paths.mjs';
import { png } from '../lib/pictures.mjs';
import { of, Shop } from '../lib/shop.mjs';
import { each, ways } from '../lib/ways.mjs';

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

async function visit(t, settings) {
  const data = dataFolder(settings);
  const window = await openNativeWindow(display, data);
  t.after(async () => {
    await window.close();
    data.remove();
  });
  const shop = new Shop(window);
  await shop.opened();
  return { window, shop };
}

/** Where on the display the middle of an element is. Only the pointer tells for sure where the page begins. */
async function middle(window, selector) {
  const [x, y] = [400, 400];
  await window.evaluate(() => {
    window.__pointer = new Promise((resolve) =>
      window.addEventListener('mousemove', (e) => resolve([e.clientX, e.clientY]), { once: true }),
    );
  });
  for (const to of [x - 2, x]) await run('xdotool', ['mousemove', to, y].map(String), { env: display.env });
  const at = await window.evaluate((s) => {
    const e = [...document.querySelectorAll(s)].find((found) => found.getClientRects().length);
    const box = e.getBoundingClientRect();
    return window.__pointer.then((seen) => ({
      seen,
      middle: [box.left + box.width / 2, box.top + box.height / 2],
    }));
  }, selector);
  return [Math.round(x - 2 - at.seen[0] + at.middle[0]), Math.round(y - at.seen[1] + at.middle[1])];
}

/** Resolves when the box holds these words. */
const pasted = (words) =>
  new Promise((resolve) => {
    const box = document.querySelector('[data-testid="composer"]');
    const look = () => box.value.includes(words) && resolve();
    box.addEventListener('input', look);
    look();
  });

for (const [lang, theme] of ways(
  [
    ['ko', 'light'],
    ['en', 'dark'],
  ],
  import.meta.url,
)) {
  each(`a contract is dragged into the chat, asked about, and its source opened, ${lang}`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'drop-'));
    t.after(() => rm(dir, { recursive: true, force: true }));
    const files = [join(dir, '우리 근로계약.docx'), join(dir, '사내 규정: 100%.md')];
    await writeFile(files[0], docx(contract.flat()));
    await writeFile(files[1], '# 규정\n\n휴가는 미리 알린다.\n');
    const { window, shop } = await visit(t, { lang, theme });
    const shot = (name) => window.screenshot(`native-attached-${lang}-${name}`);
    const documents = async () => (await window.evaluate(() => window.go.main.App.Library())).documents;

    // Over the box in which one types: the files go with the message, their paths never into the text.
    const composer = await middle(window, of('composer'));
    const source = await dragSource(t, display, files);
    await source.moveTo(...composer);
    await shop.sees('the drop target', of('drop-target'));
    await shot('1-over');
    await source.letGo();
    await shop.sees('no target any more', of('drop-target'), { count: 0 });
    await shop.sees('the chips', of('chip', { state: 'ready' }), { count: 2 });
    assert.equal(await window.evaluate(() => document.querySelector('[data-testid="composer"]').value), '');
    assert.deepEqual(
      (await documents()).filter((d) => d.kind === 'mine'),
      [],
    );
    await shot('2-dropped');

    for (const [question, says] of [
      ['제5조 내용이 뭐야?', /월급은 300만원/],
      ['그럼 계약 기간은?', /1년으로 한다/],
    ]) {
      const trails = (await shop.find(of('trail'))).length;
      await shop.say(question);
      await shop.sees(`an answer to ${question}`, of('trail'), { count: trails + 1 });
      assert.match((await shop.find(of('chat-message', { role: 'shop' }))).at(-1).text, says);
    }
    await shot('3-answers');
    await window.click(`${of('sources')} button`);
    await shop.sees('the passage', `${of('reader')} mark`);
    assert.match((await shop.find(`${of('reader')} mark`)).map((m) => m.text).join(''), /^제5조\(임금\)/);
    await window.press('Escape');
    await shop.sees('the chat again', of('composer'));
    await window.click(of('attached-keep'));
    await shop.goTo('library');
    await shop.sees('the document', of('document', { kind: 'mine' }));
    assert.deepEqual(
      (await documents()).filter((d) => d.kind === 'mine').map((d) => d.title),
      ['우리 근로계약.docx'],
    );
    await shot('4-library');
  });
}

test('a picture and files are pasted from the clipboard of the desktop', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'paste-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const [picture, list] = [join(dir, 'shot.png'), join(dir, 'list')];
  await writeFile(picture, png(320, 200));
  await writeFile(join(dir, '사내 규정 100%.md'), '# 규정\n\n휴가는 사흘 전에 알린다.\n');
  const { window, shop } = await visit(t, { lang: 'ko', theme: 'light' });
  const [x, y] = await middle(window, of('composer'));
  const xdo = (...args) => run('xdotool', args.map(String), { env: display.env });
  /** Has the desktop's clipboard hold a file's content as a kind of data, and pastes it with the keys. */
  const paste = async (kind, file) => {
    await run('xclip', ['-selection', 'clipboard', '-t', kind, '-i', file], { env: display.env });
    await xdo('mousemove', x, y, 'click', 1);
    await xdo('key', 'ctrl+v');
  };
  await paste('image/png', picture);
  await shop.sees('the picture', of('chip', { state: 'ready' }));
  await writeFile(list, `${pathToFileURL(join(dir, '사내 규정 100%.md')).href}\r\n`);
  await paste('text/uri-list', list);
  await shop.sees('the file', of('chip', { state: 'ready' }), { count: 2 });
  assert.equal(await window.evaluate(() => document.querySelector('[data-testid="composer"]').value), '');
  await window.screenshot('native-pasted');
  await writeFile(list, '휴가는 언제 알려?');
  await paste('UTF8_STRING', list);
  await window.evaluate(pasted, '휴가는 언제 알려?');
  await window.press('Enter');
  await shop.sees('an answer', of('trail'));
  assert.match((await shop.find(of('chat-message', { role: 'shop' }))).at(-1).text, /사흘 전에/);
});

test('a folder is dropped on another page; what only passed by is not taken with the next words', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'drop-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, '1.txt'), '첫째 글');
  await writeFile(join(dir, '2.md'), '둘째 글');
  await writeFile(join(dir, '3.pdf'), 'no pdf');
  const { window, shop } = await visit(t);
  const imports = () => window.evaluate(async () => (await window.go.main.App.Library()).imports.length);

  const composer = await middle(window, of('composer'));
  const passing = await dragSource(t, display, [join(dir, '1.txt')]);
  await passing.moveTo(...composer);
  await shop.sees('the drop target', of('drop-target'));
  await passing.moveTo(2, 300);
  await shop.sees('no target outside', of('drop-target'), { count: 0 });
  await passing.letGo({ unwelcome: true });

  // The window says anew at every step of the pointer whether it would take the words, and on a busy machine WebKitGTK may say yes and put
  // none of them down. A hand that was too quick tries again.
  const written = () =>
    window.evaluate(
      () =>
        new Promise((resolve) => {
          const box = document.querySelector('[data-testid="composer"]');
          const timer = setTimeout(() => resolve(false), 5_000);
          const look = () => {
            if (!box.value.includes('dragged words')) return requestAnimationFrame(look);
            clearTimeout(timer);
            resolve(true);
          };
          look();
        }),
    );
  let taken = false;
  for (let tries = 0; tries < 3 && !taken; tries++) {
    const words = await dragSource(t, display);
    await words.moveTo(...composer);
    await words.welcome();
    await shop.sees('no target for words', of('drop-target'), { count: 0 });
    taken = (await words.letGo()) && (await written());
  }
  assert.ok(taken, 'the words stand in the box');
  assert.equal(await imports(), 0, 'what passed by stays out');

  await shop.goTo('bank');
  const page = await middle(window, 'main');
  const folder = await dragSource(t, display, [dir]);
  await folder.moveTo(...page);
  await shop.sees('the drop target', of('drop-target'));
  await folder.letGo();
  await shop.sees('the library', of('library-page'));
  await shop.sees('the import', of('import', { state: 'done' }));
  assert.match((await shop.find(of('import')))[0].text, /2개를 넣었어요.*3\.pdf: 파일이 망가졌거나/);
  assert.equal(await imports(), 1);
});
