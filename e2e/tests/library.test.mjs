// The library in the window, as a newcomer meets it: documents are brought in, asked about in the chat, and each source
// opens at its passage.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { bomb, contract, docx, hwpx, lockedPDF, longText, pdf } from '../lib/documents.mjs';
import { dragAway, dragOver, drop, dropText, letGo } from '../lib/drop.mjs';
import { fakeModel } from '../lib/fake-model.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

/** A folder of documents that is gone after the test. */
async function folder(t, files = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  for (const [name, data] of Object.entries(files)) await writeFile(join(dir, name), data);
  return (name = '') => join(dir, name);
}

const importIs = (page, state) => page.waitForSelector(`[data-testid="import"][data-state="${state}"]`);

/** Asks and gives the answer's sources (empty when it has none) once its trail is there. */
async function ask(shop, page, question) {
  const trails = page.getByTestId('trail');
  const before = await trails.count();
  await shop.say(question);
  await trails.nth(before).waitFor();
  return page.getByTestId('chat-message').last();
}

const looks = [
  { lang: 'ko', theme: 'light', width: 1440, height: 900 },
  { lang: 'ko', theme: 'dark', width: 720, height: 520 },
  { lang: 'en', theme: 'light', width: 720, height: 520 },
  { lang: 'en', theme: 'dark', width: 1440, height: 900 },
];

for (const { lang, theme, width, height } of ways(looks, import.meta.url)) {
  const look = `${lang}-${theme}-${width}`;
  each(`a newcomer drops a contract on the library and asks about it, ${look}`, async (t) => {
    const { shop, window, page } = await visit(t, {
      settings: { lang, theme },
      context: { viewport: { width, height }, reducedMotion: 'reduce' },
    });
    const ko = lang === 'ko';
    const shot = (name) => window.screenshot(`library-${look}-${name}`);
    const file = await folder(t);
    await writeFile(file('우리 계약.pdf'), await pdf(window.context, '근로계약서', contract));

    await shop.goTo('library');
    await shop.sees('the library', of('library-page'));
    await dragOver(page);
    await page
      .getByText(ko ? '놓으면 도서관에 넣어요' : 'Drop to add to the library')
      .first()
      .waitFor();
    await nothingSerious(page, 'a file over the library');
    await shot('1-over-library');
    await letGo(page, [file('우리 계약.pdf')]);
    await shop.sees('no drop target', of('drop-target'), { count: 0 });
    await importIs(page, 'done');
    await shop.goTo('chat');
    await shop.sees('the chat', of('composer'));

    const answer = await ask(shop, page, '제5조 내용이 뭐야?');
    assert.match(await answer.innerText(), /월급은 300만원/);
    assert.match(
      await answer.getByTestId('sources').innerText(),
      ko ? /근로계약서.*제5조\(임금\) · 2쪽/ : /제5조\(임금\) · p\. 2/,
    );
    await nothingSerious(page, 'an answer');
    await shot('3-answer');
    assert.match(await (await ask(shop, page, '그럼 계약 기간은?')).innerText(), /1년으로 한다/);
    const compared = await ask(shop, page, '표준계약서랑 뭐가 달라?');
    assert.match(await compared.getByTestId('sources').innerText(), ko ? /표준계약서/ : /standard contract/);
    await shot('4-compared');
    const lunch = await ask(shop, page, '오늘 점심 뭐 먹지?');
    assert.match(await lunch.innerText(), /문서에 대한 질문이 아닌/);
    assert.equal(await lunch.getByTestId('sources').count(), 0);
    await shot('5-out-of-scope');

    const trail = page.getByTestId('trail').first();
    assert.equal(await trail.evaluate((d) => d.open), false, 'folded at first');
    await trail.locator('summary').click();
    assert.match(await trail.innerText(), /제5조 보기/);
    assert.doesNotMatch(await trail.innerText(), /get_article/);
    await shot('6-trail');
    await trail.locator('summary').click();
    assert.equal(await trail.evaluate((d) => d.open), false);

    const source = page.getByTestId('sources').first().getByRole('button').first();
    await source.click();
    const mark = page.locator('[data-testid="reader"] mark').first();
    await mark.waitFor();
    assert.match(
      (await page.locator('[data-testid="reader"] mark').allInnerTexts()).join(''),
      /^제5조\(임금\) 월급은 300만원/,
    );
    await page
      .getByTestId('reader-page')
      .getByText(ko ? '2 / 2쪽' : 'p. 2 of 2')
      .waitFor();
    // It is scrolled to once it is drawn.
    const inSight = (selector) =>
      page.waitForFunction((s) => {
        const seen = document.querySelector(s)?.getBoundingClientRect();
        return seen && seen.top > 0 && seen.top < innerHeight;
      }, selector);
    await inSight('[data-testid="reader"] mark');
    assert.equal(await overflows(page), false);
    await nothingSerious(page, 'a document');
    await shot('7-source');
    // The way back leads to the answer one came from.
    await page.keyboard.press('Escape');
    await source.waitFor();
    await inSight('[data-testid="sources"] button');

    await shop.goTo('library');
    await shop.sees('the document', of('document', { kind: 'mine' }));
    await page
      .getByTestId('library-vectors')
      .getByText(ko ? '낱말로만 찾아요' : 'words alone')
      .waitFor();
    await nothingSerious(page, 'the library');
    assert.equal(await overflows(page), false);
    await shot('8-library');
  });
}

test('every format is read, and what cannot be is refused with a sentence', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  const rules = `# 사내 규정\n\n${contract.flat().join('\n\n')}\n<script>alert(1)</script> <img src=x onerror=alert(1)>`;
  const good = await folder(t, {
    '용역.docx': docx(contract.flat().map((l) => `${l} 용역`)),
    '임대차.hwpx': hwpx(contract.flat().map((l) => `${l} 임대`)),
    '사내 규정.md': rules,
    '규정 복사본.md': rules,
  });
  await writeFile(good('계약.pdf'), await pdf(window.context, '근로계약서', contract));
  const bad = await folder(t, {
    '잠긴.pdf': lockedPDF(),
    '폭탄.docx': bomb(),
    '깨진.pdf': '%PDF-1.4 nothing',
    '옛 문서.hwp': 'x',
    '빈.txt': '',
  });
  await shop.goTo('library');
  await page.getByText('아직 문서가 없어요').first().waitFor();
  await nothingSerious(page, 'an empty library');
  await window.screenshot('library-empty');

  await drop(page, [good()]);
  await importIs(page, 'done');
  await page.getByText('4개를 넣었어요. 1개는 이미 있어요.').first().waitFor();
  await shop.sees('the documents', of('document', { kind: 'mine' }), { count: 4 });
  for (const facts of ['계약.pdf · 2쪽 · 조문 7개', 'DOCX · 조문 7개', 'HWPX · 조문 7개', 'MD · 조문 7개'])
    await page.getByText(facts).first().waitFor();

  await drop(page, ['잠긴.pdf', '폭탄.docx', '깨진.pdf', '옛 문서.hwp', '빈.txt', '없는.pdf'].map(bad));
  const refused = page.getByTestId('import').filter({ hasText: '넣은 문서가 없어요.' });
  await refused.waitFor();
  assert.equal(await refused.getByText('넣지 못한 파일 6개').count(), 1);
  const reasons = await refused.locator('li').allInnerTexts();
  for (const [i, reason] of [
    /잠긴\.pdf: .*암호/,
    /폭탄\.docx: .*커지는/,
    /깨진\.pdf: .*망가졌/,
    /옛 문서\.hwp: .*망가졌/,
    /빈\.txt: 빈 파일/,
    /없는\.pdf: .*그 자리에 없어요/,
  ].entries())
    assert.match(reasons[i] ?? '', reason);
  await nothingSerious(page, 'refused files');
  await window.screenshot('library-refused');

  await drop(page, [good('사내 규정.md')]);
  await page.getByText('이미 도서관에 있는 문서예요.').first().waitFor();
  await drop(page, [bad('깨진.pdf')]);
  await page.getByText('깨진.pdf: 파일이 망가졌거나 형식이 달라요').first().waitFor();
  await page.getByRole('button', { name: '알림 접기' }).click();
  await shop.sees('no note', of('import'), { count: 0 });
  assert.equal((await shop.find(of('document', { kind: 'mine' }))).length, 4, 'nothing came of it');

  // What a document holds is only ever text.
  await page.getByRole('button', { name: /^(사내 규정|규정 복사본) 읽기/ }).click();
  await page.getByText('<script>alert(1)</script>').first().waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.ariaLabel?.endsWith(' 읽기'));
});

test('whose a document is can be changed, and a document taken out', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  const file = await folder(t, { '우리 양식.md': contract.flat().join('\n') });
  await shop.goTo('library');
  await shop.sees('the page', of('library-page'));
  await drop(page, [file('우리 양식.md')]);
  await page.getByRole('button', { name: '우리 양식, 표준계약서로 옮기기' }).click();
  await shop.sees('a standard', `${of('document', { kind: 'standard' })} [aria-label="우리 양식 읽기"]`);
  await page.getByText('아직 문서가 없어요').first().waitFor();
  // What came with the program stays what it is.
  assert.equal(await page.getByRole('button', { name: /내 문서로 옮기기/ }).count(), 1);
  await window.screenshot('library-marked');
  await page.getByRole('button', { name: '우리 양식, 내 문서로 옮기기' }).click();
  await shop.sees('mine again', of('document', { kind: 'mine' }));
  await page.getByRole('button', { name: '우리 양식, 도서관에서 빼기' }).click();
  await page.getByText('원래 파일은 그대로 있어요').first().waitFor();
  await page.getByRole('button', { name: '도서관에서 빼기', exact: true }).last().click();
  await page.getByText('아직 문서가 없어요').first().waitFor();
  await page.getByRole('button', { name: '표준 근로계약서, 도서관에서 빼기' }).click();
  await page.getByText('다음에 켜면 다시 들어와요').first().waitFor();
});

test('an import is stopped, gone on with, and goes on by itself after a crash', async (t) => {
  const { shop, window, page, again } = await visit(t, { settings: { lang: 'ko' } });
  const files = {};
  for (let i = 1; i <= 9; i++) files[`${i}권.txt`] = longText(`규정 ${i}`, 400);
  const file = await folder(t, files);
  await shop.goTo('library');
  await shop.sees('the page', of('library-page'));
  await drop(page, [file()]);
  await importIs(page, 'running');
  await page.getByRole('progressbar', { name: '넣는 중' }).waitFor();
  await page
    .getByText(/^9개 중 [1-8]개$/)
    .first()
    .waitFor();
  await window.screenshot('library-importing');
  await page.getByRole('button', { name: '그만하기' }).click();
  await importIs(page, 'canceled');
  await nothingSerious(page, 'an import that was stopped');
  const left = Number(/(\d+)개가 남았어요/.exec(await page.getByTestId('import').innerText())?.[1]);
  assert.ok(left > 0, 'something is left');
  await window.screenshot('library-canceled');
  await page.getByRole('button', { name: '이어서 넣기' }).click();
  await importIs(page, 'running');

  const next = await again(); // the power fails
  await next.shop.goTo('library');
  await importIs(next.page, 'done');
  await next.shop.sees('all nine', of('document', { kind: 'mine' }), { count: 9 });
});

test('how documents are searched is said, and follows the model', async (t) => {
  const model = await fakeModel(t);
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'ko', provider: 'ollama', ollama_host: model.host, model: 'shop' },
  });
  const file = await folder(t, { '계약.md': contract.flat().join('\n') });
  await shop.goTo('library');
  await shop.sees('the page', of('library-page'));
  await drop(page, [file('계약.md')]);
  const line = page.getByTestId('library-vectors');
  await line.getByText('낱말과 뜻으로 찾아요.', { exact: true }).waitFor();
  await window.screenshot('library-hybrid');
  await page.evaluate(() => window.go.main.App.SetSettings({ provider: 'builtin' }));
  await line.getByText('낱말로만 찾아요').waitFor();
});

test('an answer of a model that misquotes is flagged, and what it cites opens', async (t) => {
  const model = await fakeModel(t);
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'ko', provider: 'ollama', ollama_host: model.host, model: 'misquotes' },
  });
  const file = await folder(t, { '계약.md': contract.flat().join('\n') });
  await shop.goTo('library');
  await shop.sees('the page', of('library-page'));
  await drop(page, [file('계약.md')]);
  await importIs(page, 'done');
  await shop.goTo('chat');
  const answer = await ask(shop, page, '제5조 내용이 뭐야?');
  const doubt = answer.getByTestId('unverified');
  await doubt.waitFor();
  assert.match(await answer.innerText(), /월급은 “500만원으로 하고 매일 지급한다”/);
  assert.match(await doubt.innerText(), /확인되지 않은 내용.*500만원으로 하고 매일 지급한다/s);
  await nothingSerious(page, 'a flagged answer');
  await window.screenshot('library-flagged');
  await answer.locator('button.cite').click();
  await page.getByText('제5조(임금) 월급은 300만원으로').first().waitFor();
});

test('a drag that only passes by, words and links bring nothing', async (t) => {
  const { shop, page } = await visit(t, { settings: { lang: 'ko' } });
  const file = await folder(t, { '계약.md': contract.flat().join('\n') });
  const path = file('계약.md');
  const documents = () => page.evaluate(async () => (await window.go.main.App.Library()).imports.length);
  await dragOver(page);
  await shop.sees('the target', of('drop-target'));
  await dragAway(page);
  await shop.sees('no target', of('drop-target'), { count: 0 });
  // Wails hands out the paths that passed by with the next drop of anything.
  await dropText(page, of('composer'), { kind: 'text/plain', text: 'words', paths: [path] });
  await shop.sees('no target for words', of('drop-target'), { count: 0 });
  // An empty path is what Wails makes of a link.
  await drop(page, ['']);
  await page.getByRole('region', { name: '알림' }).getByText('놓은 것에 파일이 없어요').waitFor();
  assert.equal(await documents(), 0);
  // A link that is dropped where one types is its address.
  const link = { kind: 'text/uri-list', text: 'https://example.com/a', paths: [''] };
  await dropText(page, of('composer'), link);
  await page.waitForFunction(
    () => document.querySelector('[data-testid="composer"]').value === 'https://example.com/a',
  );
  // On another page the library opens, so that one sees what becomes of it.
  await shop.goTo('bank');
  await drop(page, [path]);
  await shop.sees('the library', of('library-page'));
  await importIs(page, 'done');
  assert.equal(await documents(), 1);
});

test('one document is asked, from its row and from its pages, and the program may die meanwhile', async (t) => {
  let { shop, page, window, again } = await visit(t, { settings: { lang: 'ko' } });
  const file = await folder(t, {
    '회사.txt': contract.flat().join('\n'),
    '집.txt': '임대차계약서\n제5조(차임) 차임은 매월 70만원으로 한다.\n',
  });
  await shop.goTo('library');
  await shop.sees('the page', of('library-page'));
  await drop(page, [file('회사.txt'), file('집.txt')]);
  await importIs(page, 'done');
  const chip = () => page.getByTestId('asks-about');
  const row = (title) => page.getByTestId('document').filter({ hasText: title });

  await shop.goTo('library');
  await row('집').getByRole('button', { name: '이 문서에 물어보기' }).click();
  const typing = () => page.waitForFunction(() => document.activeElement?.dataset.testid === 'composer');
  await chip().getByText('‘집’에서만 찾아요').waitFor();
  await typing();
  await nothingSerious(page, 'a question about one document');
  for (const key of ['Escape', 'Backspace']) {
    await page.keyboard.press(key);
    await chip().waitFor({ state: 'detached' });
    await shop.goTo('library');
    await row('집').getByRole('button', { name: '이 문서에 물어보기' }).click();
    await chip().waitFor();
    await typing();
  }
  await page.getByTestId('composer').fill('월급은');
  await shop.goTo('library');
  await shop.goTo('chat');
  await chip().waitFor(); // it is kept with what is typed

  const none = await ask(shop, page, ' 얼마야?');
  assert.match(await none.innerText(), /‘집’ 문서에는 없어요/);
  assert.doesNotMatch(await none.innerText(), /300만원/);
  assert.equal(await chip().count(), 0, 'the next question is about all of them');
  assert.match(await (await ask(shop, page, '월급은 얼마야?')).innerText(), /300만원/);

  await shop.goTo('library');
  await row('집').getByRole('button', { name: '집 읽기' }).click();
  await page.getByTestId('reader-ask').click();
  await window.screenshot('library-ask-one');
  const found = await ask(shop, page, '제5조 내용이 뭐야?');
  assert.match(await found.innerText(), /70만원/);
  assert.doesNotMatch(await found.innerText(), /300만원/);

  ({ shop, page, window } = await again());
  const said = page.getByTestId('said-about');
  await said.first().waitFor();
  assert.deepEqual(await said.allInnerTexts(), ['‘집’에서', '‘집’에서']);
  const own = page.locator('[data-testid="chat-message"][data-role="customer"]').nth(1);
  const lines = await own
    .locator('.text')
    .evaluate((box) => box.getBoundingClientRect().height / box.querySelector('p').offsetHeight);
  assert.ok(lines < 2, `nothing stands over what was said without a document: ${lines}`);
  await window.screenshot('library-asked-one');
  await said.last().click();
  await chip().getByText('‘집’에서만 찾아요').waitFor();
});
