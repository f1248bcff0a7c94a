// Files dragged from another program into the production window, with a real pointer on a real display server.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { run } from '../lib/children.mjs';
import { openDisplay } from '../lib/display.mjs';
import { contract, docx } from '../lib/documents.mjs';
import { dragSource } from '../lib/drag-source.mjs';
import { openNativeWindow } from '../lib/native-window.mjs';
import { dataFolder } from '../lib/paths.mjs';
import { of, Shop } from '../lib/shop.mjs';

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

for (const [lang, theme] of [
  ['ko', 'light'],
  ['en', 'dark'],
]) {
  test(`a contract is dragged into the chat, asked about, and its source opened, ${lang}`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'drop-'));
    t.after(() => rm(dir, { recursive: true, force: true }));
    const files = [join(dir, '우리 근로계약.docx'), join(dir, '사내 규정: 100%.md')];
    await writeFile(files[0], docx(contract.flat()));
    await writeFile(files[1], '# 규정\n\n휴가는 미리 알린다.\n');
    const { window, shop } = await visit(t, { lang, theme });
    const shot = (name) => window.screenshot(`native-library-${lang}-${name}`);

    // Over the box in which one types: the files go to the library, their paths never into the text.
    const composer = await middle(window, of('composer'));
    const source = await dragSource(t, display, files);
    await source.moveTo(...composer);
    await shop.sees('the drop target', of('drop-target'));
    await shot('1-over');
    await source.letGo();
    await shop.sees('no target any more', of('drop-target'), { count: 0 });
    await shop.sees('the import', `${of('brought')} ${of('import', { state: 'done' })}`);
    assert.equal(await window.evaluate(() => document.querySelector('[data-testid="composer"]').value), '');
    const { documents } = await window.evaluate(() => window.go.main.App.Library());
    assert.deepEqual(
      documents
        .filter((d) => d.kind === 'mine')
        .map((d) => d.path)
        .sort(),
      [...files].sort(),
    );
    await shot('2-dropped');

    for (const [question, says] of [
      ['제5조 내용이 뭐야?', /월급은 300만원/],
      ['그럼 계약 기간은?', /1년으로 한다/],
      ['표준계약서랑 뭐가 달라?', /표준/],
      ['오늘 점심 뭐 먹지?', /문서에 대한 질문이 아닌/],
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
    await shot('4-source');
    await window.press('Escape');
    await shop.sees('the chat again', of('composer'));
    await shop.goTo('library');
    await shop.sees('the documents', of('document', { kind: 'mine' }), { count: 2 });
    await shot('5-library');
  });
}

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
  await passing.letGo();

  // The window says anew at every step of the pointer whether it would take the words. A hand that is too quick tries again.
  let taken = false;
  for (let tries = 0; tries < 3 && !taken; tries++) {
    const words = await dragSource(t, display);
    await words.moveTo(...composer);
    await words.welcome();
    await shop.sees('no target for words', of('drop-target'), { count: 0 });
    taken = await words.letGo();
  }
  assert.ok(taken, 'the words are taken');
  await window.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const box = document.querySelector('[data-testid="composer"]');
        const timer = setTimeout(() => reject(new Error(`the box holds “${box.value}”`)), 10_000);
        const look = () => {
          if (!box.value.includes('dragged words')) return requestAnimationFrame(look);
          clearTimeout(timer);
          resolve(true);
        };
        look();
      }),
  );
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
