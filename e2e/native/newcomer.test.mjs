// What a newcomer does first, in the production window: three files dropped into one message, a folder tidied with one yes, and all of it put
// back by a word, also when the power failed half-way. TIDY_FILES=2000 has as many files as a folder of downloads really has.
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { launchBrowser } from '../lib/chromium-window.mjs';
import { run } from '../lib/children.mjs';
import { openDisplay } from '../lib/display.mjs';
import { hwp } from '../lib/documents.mjs';
import { dragSource } from '../lib/drag-source.mjs';
import { littered, loose, treeOf } from '../lib/litter.mjs';
import { visitNative } from '../lib/native-visit.mjs';
import { dataFolder, inRepo } from '../lib/paths.mjs';
import { receipt } from '../lib/pictures.mjs';
import { of } from '../lib/shop.mjs';
import { each, ways } from '../lib/ways.mjs';

const FILES = Number(process.env.TIDY_FILES ?? 300);

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

/** Where on the display the middle of an element is. */
async function middle(window, selector) {
  const x = 400;
  await window.evaluate(() => {
    window.__pointer = new Promise((resolve) =>
      window.addEventListener('mousemove', (e) => resolve([e.clientX, e.clientY]), { once: true }),
    );
  });
  for (const to of [x - 2, x]) await run('xdotool', ['mousemove', to, 400].map(String), { env: display.env });
  const at = await window.evaluate((s) => {
    const box = [...document.querySelectorAll(s)]
      .find((e) => e.getClientRects().length)
      .getBoundingClientRect();
    return window.__pointer.then((seen) => ({
      seen,
      to: [box.left + box.width / 2, box.top + box.height / 2],
    }));
  }, selector);
  return [Math.round(x - 2 - at.seen[0] + at.to[0]), Math.round(400 - at.seen[1] + at.to[1])];
}

test('a photo of a receipt, a table and a Hangul document in one message are read and cited', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'newcomer-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = (name) => join(dir, name);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const photo = await receipt(browser, '행복 문구점', [
    ['복사 용지', '12,000'],
    ['볼펜 세트', '8,500'],
    ['합계 금액', '20,500'],
  ]);
  assert.ok(photo.includes('Exif'), 'a phone notes where it was');
  await writeFile(path('영수증.jpg'), photo);
  await copyFile(inRepo('backend/library/extract/testdata/sales.xlsx'), path('매출.xlsx'));
  await writeFile(
    path('출장 규정.hwp'),
    hwp(['출장 규정', '제1조(숙박비) 숙박비는 하루 8만원까지 낸다.', '제2조(교통비) 교통비는 실비로 낸다.']),
  );
  const { window, shop, data } = await visitNative(t, display, { lang: 'ko', theme: 'light' });
  const composer = await middle(window, of('composer'));
  const source = await dragSource(t, display, ['영수증.jpg', '매출.xlsx', '출장 규정.hwp'].map(path));
  await source.moveTo(...composer);
  await shop.sees('the drop target', of('drop-target'));
  await window.screenshot('newcomer-1-over');
  await source.letGo();
  await shop.sees('three chips', of('chip', { state: 'ready' }), { count: 3, timeout: 150_000 });
  await window.screenshot('newcomer-2-chips');

  const asks = async (question, says, cites) => {
    const before = (await shop.find(of('trail'))).length;
    await shop.say(question);
    await shop.sees(`an answer to ${question}`, of('trail'), { count: before + 1, timeout: 60_000 });
    const answer = (await shop.find(of('chat-message', { role: 'shop' }))).at(-1).text;
    for (const words of says) assert.match(answer, words);
    const cited = (await shop.find(of('sources'))).at(-1).text;
    for (const name of cites) assert.ok(cited.includes(name), `${cited} names ${name}`);
  };
  await asks(
    '세 파일에 뭐가 있는지 알려줘',
    [/20,500/, /숙박비/],
    ['영수증.jpg', '매출.xlsx', '출장 규정.hwp'],
  );
  await window.screenshot('newcomer-3-answer');
  await asks('숙박비는 하루 얼마까지야?', [/8만원/], ['출장 규정.hwp']);
  await window.screenshot('newcomer-4-answer');

  // Nothing that leaves the house tells where the photo was taken.
  const shown = await window.evaluate(async () => {
    const messages = await window.go.main.App.History('main', '', 10);
    const photo = messages.flatMap((m) => m.attachments ?? []).find((a) => a.kind === 'image');
    return { photo, picture: await window.go.main.App.AttachmentPicture(photo.id, true) };
  });
  const picture = Buffer.from(shown.picture.split(',').at(-1), 'base64');
  assert.ok(
    picture.length > 1000 && !picture.includes('Exif'),
    'the picture that is shown and sent has no EXIF',
  );
  assert.ok(data.path);
});

test('a folder is tidied with one yes and put back by a word, also after the power failed half-way', async (t) => {
  const settings = { lang: 'ko', theme: 'light' };
  const data = dataFolder(settings);
  let { window, shop } = await visitNative(t, display, settings, { data });
  const folder = littered(t, '다운로드', FILES);
  const asItWas = treeOf(folder);
  const number = (n) => n.toLocaleString('ko');
  await window.evaluate((p) => window.go.main.App.OpenFolder(p, true, ''), folder);

  const began = performance.now();
  const took = {};
  const timed = (what) => (took[what] = Math.round(performance.now() - began));
  let [tidy] = await shop.order('다운로드 폴더를 종류별로 정리해줘');
  let question = await shop.questionOf(tidy, 'approval');
  await shop.sees('the plan', of('plan'));
  timed('planned');
  await window.screenshot('newcomer-5-plan');
  await window.type(`${of('plan')} input[type="search"]`, '회의록 1');
  const tick = (line) => `${of('plan-line')}[data-line="${line}"] input[type="checkbox"]`;
  await shop.sees('lines', of('plan-line'), { count: 3 });
  const lines = await window.evaluate(
    (s) => [...document.querySelectorAll(s)].slice(0, 3).map((e) => e.dataset.line),
    of('plan-line'),
  );
  for (const line of lines) await window.click(tick(line));
  await window.screenshot('newcomer-6-unticked');
  assert.equal(treeOf(folder), asItWas, 'nothing is moved before the answer');
  // What the panel shows while the files are on their way.
  await window.evaluate(() => {
    window.__shown = [];
    new MutationObserver(() => {
      const done = document.querySelector('.panel progress')?.value;
      if (done !== undefined && done !== window.__shown.at(-1)) window.__shown.push(done);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  await shop.answer(question, 'approve');
  await window.screenshot('newcomer-7-moving');
  await shop.jobIs(tidy, 'succeeded', { timeout: 120_000 });
  timed('moved');
  const shown = await window.evaluate(() => window.__shown);
  assert.ok(shown.length > 0, 'nothing was seen of how far it was');
  assert.deepEqual(
    shown,
    shown.toSorted((a, b) => a - b),
    'it only ever goes on',
  );
  assert.equal(loose(folder), 3);
  await window.screenshot('newcomer-8-moved');

  let [back] = await shop.order('되돌려줘');
  question = await shop.questionOf(back, 'approval');
  timed('asked back');
  await window.screenshot('newcomer-9-back');
  await shop.answer(question, 'approve');
  await shop.jobIs(back, 'succeeded', { timeout: 120_000 });
  timed('put back');
  assert.equal(treeOf(folder), asItWas, 'it is as it was, byte for byte');
  await window.screenshot('newcomer-10-as-it-was');

  // The power fails in the middle of tidying, and again in the middle of putting back.
  const halfway = async (enough) => {
    for (const until = Date.now() + 60_000; !enough() && Date.now() < until;) await new Promise(setImmediate);
    await window.kill();
    const left = loose(folder);
    ({ window, shop } = await visitNative(t, display, settings, { data }));
    return left;
  };
  [tidy] = await shop.order('다운로드 폴더를 종류별로 정리해줘');
  question = await shop.questionOf(tidy, 'approval');
  await shop.answer(question, 'approve');
  const left = await halfway(() => loose(folder) < FILES * 0.7);
  await shop.jobIs(tidy, 'succeeded', { timeout: 120_000 });
  assert.equal(loose(folder), 0, 'what was begun is finished');
  [back] = await shop.order('되돌려줘');
  question = await shop.questionOf(back, 'approval');
  await shop.answer(question, 'approve');
  const returned = await halfway(() => loose(folder) > FILES * 0.3);
  await shop.jobIs(back, 'succeeded', { timeout: 120_000 });
  assert.equal(treeOf(folder), asItWas, 'it is as it was, byte for byte');
  t.diagnostic(
    `${number(FILES)} files: ${JSON.stringify(took)} ms; ${shown.length} times seen how far it was; killed with ${left} left, and with ${returned} back`,
  );
});

const lease = {
  ko: {
    name: '월세 계약서.md',
    text: '# 월세 계약서\n\n제1조(보증금) 보증금은 1,000만원으로 한다.\n\n제2조(기간) 계약 기간은 2026년 3월 1일부터 2년으로 한다.\n',
    says: /보증금|계약 기간/,
  },
  en: {
    name: 'lease.md',
    text: '# Lease\n\nArticle 1 (Deposit) The deposit is 10,000 dollars.\n\nArticle 2 (Term) The term is two years from 1 March 2026.\n',
    says: /deposit|term/i,
  },
};

for (const [lang, { name, text, says }] of ways(Object.entries(lease), import.meta.url)) {
  each(
    `who reads nothing has a cited answer about a document of their own in under two minutes, ${lang}`,
    async (t) => {
      const dir = await mkdtemp(join(tmpdir(), 'newcomer-'));
      t.after(() => rm(dir, { recursive: true, force: true }));
      const file = join(dir, name);
      await writeFile(file, text);
      const began = performance.now();
      const { window, shop } = await visitNative(t, display, { lang, theme: 'system' });
      await shop.sees('what to begin with', of('example', { work: 'document' }));
      await window.screenshot(`newcomer-${lang}-1-start`);
      // The card says that a file can be dropped there, and that is done, with a real pointer.
      const card = await middle(window, of('example', { work: 'document' }));
      const source = await dragSource(t, display, [file]);
      await source.moveTo(...card);
      await shop.sees('the drop target', of('drop-target'));
      await source.letGo();
      await shop.sees('what to ask', `${of('ask-first')} button`, { timeout: 60_000 });
      await window.screenshot(`newcomer-${lang}-2-read`);
      await window.click(`${of('ask-first')} button`);
      await shop.sees('an answer with its sources', of('sources'), { timeout: 60_000 });
      const took = Math.round((performance.now() - began) / 1000);
      await window.screenshot(`newcomer-${lang}-3-answer`);
      assert.match((await shop.find(of('chat-message', { role: 'shop' }))).at(-1).text, says);
      assert.match((await shop.find(of('sources'))).at(-1).text, /lease|월세/i, 'it is cited');
      t.diagnostic(`${took} s from the start of the program, one file dropped and one click`);
      assert.ok(took < 120, `${took} s`);
    },
  );
}
