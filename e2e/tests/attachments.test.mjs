// Files that go with a message: dropped, pasted or picked, shown with it for ever, and answered about.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { longText } from '../lib/documents.mjs';
import { dragOver, drop, letGo } from '../lib/drop.mjs';
import { fakeModel } from '../lib/fake-model.mjs';
import { png } from '../lib/pictures.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const trip =
  '# 출장 정산\n\n부산 출장의 교통비는 12만원이고 숙박비는 8만원이다.\n\n정산 마감은 3월 15일이다.\n';

/** A folder with what one has lying about, gone after the test. */
async function desk(t) {
  const dir = await mkdtemp(join(tmpdir(), 'attach-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = (name) => join(dir, name);
  await writeFile(path('출장 정산.md'), trip);
  await writeFile(path('영수증.png'), png(640, 480));
  await writeFile(path('긴 규정.txt'), longText('긴 규정', 120));
  await writeFile(path('잘린.jpg'), 'no picture');
  return path;
}

const ready = (shop, count) => shop.sees(`${count} chips`, of('chip', { state: 'ready' }), { count });

/** What the shop has said, to its end. */
const written = `${of('chat-message', { role: 'shop' })}:not([data-streaming])`;

/** Sends what is typed and gives the next answer of the shop. */
async function answered(shop, page, text) {
  const answers = page.locator(written);
  const before = await answers.count();
  await shop.say(text);
  await answers.nth(before).waitFor();
  return answers.nth(before);
}

const typed = (page) => page.getByTestId('composer').inputValue();

const looks = [
  { lang: 'ko', theme: 'light', width: 1280, height: 840 },
  { lang: 'ko', theme: 'dark', width: 720, height: 520 },
  { lang: 'en', theme: 'light', width: 720, height: 520 },
  { lang: 'en', theme: 'dark', width: 1280, height: 840 },
];

for (const { lang, theme, width, height } of ways(looks, import.meta.url)) {
  const look = `${lang}-${theme}-${width}`;
  each(`a newcomer drops files on the chat and asks about them, ${look}`, async (t) => {
    const opened = await visit(t, {
      settings: { lang, theme },
      context: { viewport: { width, height }, reducedMotion: 'reduce' },
    });
    let { shop, page, window } = opened;
    const ko = lang === 'ko';
    const shot = (name) => window.screenshot(`attachments-${look}-${name}`);
    const path = await desk(t);

    await page.getByTestId('composer').fill('숙박비가');
    await dragOver(page, of('composer'));
    const target = page.getByTestId('drop-target');
    await target
      .getByText(ko ? '놓으면 이 메시지에 첨부해요' : 'Drop to attach it to this message')
      .waitFor();
    await target.getByText(/PDF.*PNG/s).waitFor();
    await nothingSerious(page, 'files over the chat');
    await shot('1-over');
    await letGo(page, [path('출장 정산.md'), path('영수증.png'), path('잘린.jpg')]);
    await ready(shop, 2);
    await shop.sees('the refusal', of('chip', { state: 'refused' }));
    assert.equal(await typed(page), '숙박비가', 'what was typed stays, and a file never becomes text');
    await nothingSerious(page, 'chips');
    assert.equal(await overflows(page), false);
    await shot('2-chips');

    await page.getByRole('button', { name: ko ? '빼기: 잘린.jpg' : 'Remove: 잘린.jpg' }).click();
    await shop.sees('no refusal', of('chip', { state: 'refused' }), { count: 0 });
    await page.getByTestId('composer').fill('');
    const answer = await answered(shop, page, '숙박비가 얼마야?');
    assert.match(await answer.innerText(), /숙박비는 8만원/);
    assert.match(await answer.innerText(), /640×480, PNG/);
    assert.match(await answer.getByTestId('sources').innerText(), /출장 정산\.md/);
    await shop.sees('no chips any more', of('chip'), { count: 0 });
    const said = page.locator(of('chat-message', { role: 'customer' })).last();
    await said.getByText('영수증.png').waitFor();
    await said.locator('img').waitFor();
    await nothingSerious(page, 'a message with files');
    await shot('3-answer');

    // It goes on about them, and a ticket of another kind is none of their business.
    assert.match(await (await answered(shop, page, '그럼 마감은 언제야?')).innerText(), /3월 15일/);

    ({ shop, page, window } = await opened.again());
    const kept = page.locator(of('chat-message', { role: 'customer' })).first();
    await kept.locator('img').waitFor();
    await kept.getByTestId('attached-keep').click();
    await page
      .getByText(ko ? '‘출장 정산.md’을 도서관에 뒀어요.' : '“출장 정산.md” is in the library now.')
      .first()
      .waitFor();
    await kept.getByRole('button', { name: /^영수증\.png/ }).click();
    await page.getByRole('dialog').locator('img').waitFor();
    await shot('4-picture');
    await page.keyboard.press('Escape');
    await kept.getByRole('button', { name: /^출장 정산\.md/ }).click();
    await shop.sees('the text', of('reader'));
    await page.keyboard.press('Escape');
    const { documents } = await page.evaluate(() => window.go.main.App.Library());
    assert.deepEqual(
      documents.filter((d) => d.kind === 'mine').map((d) => d.title),
      ['출장 정산.md'],
    );
  });
}

test('files are picked and pasted, taken away and changed; the drafts of two chats are their own', async (t) => {
  const { shop, page, window } = await visit(t, { settings: { lang: 'ko' } });
  const path = await desk(t);
  const pick = (paths) =>
    page.evaluate((list) => (window.go.main.App.ChooseAttachments = () => Promise.resolve(list)), paths);
  await answered(shop, page, '안녕?');
  await pick([path('출장 정산.md'), path('긴 규정.txt')]);
  await page.getByTestId('attach').click();
  await ready(shop, 2);
  await page.waitForFunction(() => document.activeElement?.dataset.testid === 'composer');

  /** Pastes as a browser does: a file, and words if there are some. */
  const paste = (data, name, words = '') =>
    page.evaluate(
      ([base64, called, text]) => {
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        transfer.items.add(new File([bytes], called, { type: 'image/png' }));
        if (text) transfer.setData('text/plain', text);
        const event = new ClipboardEvent('paste', {
          bubbles: true,
          cancelable: true,
          clipboardData: transfer,
        });
        document.querySelector('[data-testid="composer"]').dispatchEvent(event);
        return event.defaultPrevented;
      },
      [data.toString('base64'), name, words],
    );
  assert.equal(
    await paste(await readFile(path('영수증.png')), 'image.png', '표의 글'),
    false,
    'words are meant as words',
  );
  assert.equal(await paste(await readFile(path('영수증.png')), 'image.png'), true);
  await ready(shop, 3);
  await page.getByText('붙여넣은 그림.png').first().waitFor();
  await nothingSerious(page, 'three chips');
  await window.screenshot('attachments-three');

  // Another chat has its own, and another page changes nothing.
  await page.keyboard.press('Control+n');
  await shop.sees('no chips there', of('chip'), { count: 0 });
  await shop.goTo('bank');
  await shop.goTo('chat');
  await page.getByRole('button', { name: /안녕/ }).first().click();
  await ready(shop, 3);
  for (const name of ['출장 정산.md', '붙여넣은 그림.png'])
    await page.getByRole('button', { name: `빼기: ${name}` }).click();
  await ready(shop, 1);

  // A long one is looked in; it may be sent without a word, too.
  const answer = await answered(shop, page, '제77조 내용이 뭐야?');
  assert.match(await answer.getByTestId('sources').innerText(), /긴 규정\.txt 제77조/);
  await drop(page, [path('출장 정산.md')], of('composer'));
  await ready(shop, 1);
  const plain = page.locator(written);
  const count = await plain.count();
  await page.getByTestId('send').click();
  await plain.nth(count).waitFor();
  assert.match(await plain.nth(count).innerText(), /출장 정산/);

  // Changed, a message has its files, which can be others then; what was there before is there again.
  await drop(page, [path('영수증.png')], of('composer'));
  await ready(shop, 1);
  const last = page.locator(of('chat-message', { role: 'customer' })).last();
  await last.hover();
  await last.getByRole('button', { name: '고쳐서 다시 보내기' }).click();
  await page.getByTestId('chip').getByText('출장 정산.md').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('chip').getByText('영수증.png').waitFor();
  assert.equal(await page.getByTestId('chip').count(), 1);
});

test('the files in a box outlive another chat, another page and a kill, and are gone from it once they are sent', async (t) => {
  const opened = await visit(t, { settings: { lang: 'ko' } });
  let { shop, page } = opened;
  const path = await desk(t);
  /** Waits until the shop keeps so many files for the box of a chat. */
  const kept = (chat, count) =>
    finds(
      page,
      async ([of, many]) => {
        const { drafts } = await window.go.main.App.Snapshot();
        return (JSON.parse(drafts[of] ?? '{}').files?.length ?? 0) === many;
      },
      [chat, count],
    );
  await answered(shop, page, '안녕?');
  await drop(page, [path('출장 정산.md'), path('영수증.png'), path('잘린.jpg')], of('composer'));
  await ready(shop, 2);
  await kept('main', 2);
  await page.keyboard.press('Control+n');
  await shop.sees('no chips there', of('chip'), { count: 0 });
  await page.getByTestId('composer').fill('규정은');
  await drop(page, [path('긴 규정.txt')], of('composer'));
  await ready(shop, 1);
  const other = await finds(page, async () => {
    const { drafts } = await window.go.main.App.Snapshot();
    return Object.keys(drafts).find((chat) => chat !== 'main' && JSON.parse(drafts[chat]).files?.length);
  });

  const chat = (id) => page.locator(`.name[data-chat="${id}"]`).click();
  ({ shop, page } = await opened.again());
  await chat(other);
  await page.getByTestId('chip').getByText('긴 규정.txt').waitFor();
  assert.equal(await typed(page), '규정은');
  await chat('main');
  await ready(shop, 2);
  await page.getByRole('button', { name: '빼기: 영수증.png' }).click();
  await kept('main', 1);
  const answer = await answered(shop, page, '숙박비가 얼마야?');
  assert.match(await answer.innerText(), /숙박비는 8만원/);
  await kept('main', 0);
  await shop.goTo('bank');
  await shop.goTo('chat');
  await page
    .locator(of('chat-message', { role: 'customer' }))
    .last()
    .waitFor();
  assert.equal(await typed(page), '', 'what was sent does not come back');
  assert.equal(await page.getByTestId('chip').count(), 0);

  ({ shop, page } = await opened.again());
  await chat('main');
  await page
    .locator(of('chat-message', { role: 'customer' }))
    .last()
    .waitFor();
  assert.equal(await page.getByTestId('chip').count(), 0);
  await chat(other);
  await ready(shop, 1);
});

test('a folder, a file that vanished and too many are refused with what to do, and nothing typed is lost', async (t) => {
  const { shop, page, window } = await visit(t, { settings: { lang: 'ko' } });
  const path = await desk(t);
  await page.getByTestId('composer').fill('이거 봐줘');
  await drop(page, [path('.'), path('없는.pdf'), path('잘린.jpg')], of('composer'));
  await shop.sees('three refusals', of('chip', { state: 'refused' }), { count: 3 });
  const reasons = (await page.getByTestId('chip').allInnerTexts()).join('\n');
  for (const says of ['도서관 페이지에 폴더를', '그 자리에 없어요', '그림이 망가졌거나'])
    assert.ok(reasons.includes(says), `${says}: ${reasons}`);
  await nothingSerious(page, 'refusals');
  await window.screenshot('attachments-refused');
  assert.equal(await typed(page), '이거 봐줘');
  const many = [];
  for (let i = 0; i < 11; i++) {
    many.push(path(`${i}.txt`));
    await writeFile(path(`${i}.txt`), `글 ${i}`);
  }
  await drop(page, many, of('composer'));
  await ready(shop, 11);
  await page.getByTestId('send').click();
  await page.getByText('한 메시지에 파일을 10개까지').first().waitFor();
  await ready(shop, 11);
  assert.equal(await typed(page), '이거 봐줘', 'what was refused is back');
});

test('a model that sees looks at the picture; one that does not is not shown any', async (t) => {
  const model = await fakeModel(t);
  const { shop, page, window } = await visit(t, {
    settings: { lang: 'ko', provider: 'ollama', ollama_host: model.host, model: 'sees' },
  });
  const path = await desk(t);
  await drop(page, [path('영수증.png')], of('composer'));
  await ready(shop, 1);
  const seen = await answered(shop, page, '이 그림에 뭐가 있어?');
  assert.match(await seen.innerText(), /빨간 영수증이 있어요/);
  assert.match(await seen.getByTestId('sources').innerText(), /영수증\.png/);
  await nothingSerious(page, 'an answer about a picture');
  await window.screenshot('attachments-seen');
  await page.evaluate(() => window.go.main.App.SetSettings({ model: 'shop' }));
  await drop(page, [path('영수증.png')], of('composer'));
  await ready(shop, 1);
  assert.match(
    await (await answered(shop, page, '이 그림에 뭐가 있어?')).innerText(),
    /그림을 볼 수 있는 모델이 없어서/,
  );
});
