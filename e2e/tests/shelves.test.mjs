// A folder as a shelf of the library: it is read, followed, asked, and what is gone from it is decided about.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

/** Writes a file of a folder, an hour ago: then it counts as whole. */
async function put(dir, name, text) {
  const path = join(dir, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  const then = new Date(Date.now() - 3600_000);
  await utimes(path, then, then);
}

const looks = [
  { lang: 'ko', theme: 'light', width: 1280, height: 840 },
  { lang: 'en', theme: 'dark', width: 720, height: 520 },
];

for (const { lang, theme, width, height } of ways(looks, import.meta.url)) {
  const look = `${lang}-${theme}-${width}`;
  each(`a folder becomes a shelf, ${look}`, async (t) => {
    const ko = lang === 'ko';
    const dir = join(await mkdtemp(join(tmpdir(), 'shelf-')), ko ? '계약서' : 'contracts');
    t.after(() => rm(join(dir, '..'), { recursive: true, force: true }));
    await put(
      dir,
      '임대차 계약.txt',
      '제1조(목적) 이 계약은 임대차를 정한다.\n제2조(보증금) 보증금은 500만원으로 한다.\n',
    );
    await put(dir, '용역/용역 계약.md', '# 용역 계약\n\n제1조(대금) 대금은 300만원이다.\n');
    await put(dir, '망가진 문서.hwp', 'x');
    await put(dir, '그림.raw', 'x');
    for (let n = 0; n < 120; n++) await put(dir, `부속/부속 합의 ${n}.txt`, `부속 합의 ${n}번의 내용이다.`);

    const { shop, window, page } = await visit(t, {
      settings: { lang, theme },
      context: { viewport: { width, height }, reducedMotion: 'reduce' },
    });
    const shot = (name) => window.screenshot(`shelves-${look}-${name}`);
    const facts = (text) =>
      page.getByTestId('shelf-facts').filter({ hasText: text }).waitFor({ timeout: 120_000 });
    const name = (k, e) => (ko ? k : e);

    await shop.goTo('library');
    await shop.sees('the library', of('library-page'));
    await shot('empty');
    // The system's dialog is nobody's to press: what it would answer is said to the shop.
    await page.evaluate((path) => globalThis.go.main.App.AddShelf(path, '', ''), dir);
    await page.getByTestId('shelf').waitFor();
    await facts(name('문서 122개', '122 documents'));
    await facts(name('읽지 못함 1개', '1 not read'));
    await facts(name('읽지 않는 형식 1개', '1 of formats that are not read'));
    await nothingSerious(page, 'a shelf');
    assert.equal(await overflows(page), false);
    await shot('read');

    await page.getByTestId('shelf-files').click();
    await page.getByTestId('shelf-file').first().waitFor();
    assert.ok((await page.getByTestId('shelf-file').count()) < 60, 'only the rows in sight are drawn');
    await page.getByRole('radio', { name: name(/읽지 못함/, /not read/) }).click();
    await page.locator('[data-testid="shelf-file"][data-state="refused"]').waitFor();
    await page.getByTestId('shelf-list').scrollIntoViewIfNeeded();
    await shot('files');
    await page.getByRole('radio', { name: name(/모두/, /All/) }).click();

    // A new file is read as soon as it is there; of one that goes somebody is asked.
    await put(dir, '새 계약.txt', '제1조(위약금) 위약금은 70만원으로 한다.\n');
    await facts(name('문서 123개', '123 documents'));
    await rm(join(dir, '용역'), { recursive: true });
    await page.getByTestId('shelf-gone').waitFor();
    await page.getByTestId('shelf-gone').scrollIntoViewIfNeeded();
    await page
      .getByRole('button', {
        name: name('도서관: 서가에서 없어진 파일이 있어요', 'Library: files are gone from a shelf'),
      })
      .waitFor();
    await nothingSerious(page, 'what is gone');
    await shot('gone');
    await page
      .getByRole('button', { name: name('도서관에서 빼기', 'Take out'), exact: true })
      .first()
      .click();
    await page.getByTestId('shelf-gone').waitFor({ state: 'detached' });
    await facts(name('문서 122개', '122 documents'));

    // A disk that is away takes nothing with it.
    await rename(dir, `${dir}-away`);
    await page.locator('[data-testid="shelf"] .wrong').waitFor();
    await page.locator('[data-testid="shelf"] .wrong').scrollIntoViewIfNeeded();
    await shot('away');
    await facts(name('문서 122개', '122 documents'));
    await rename(`${dir}-away`, dir);
    await page.getByRole('button', { name: name(/다시 살펴보기/, /^Scan again/) }).click();
    await page.locator('[data-testid="shelf"] .wrong').waitFor({ state: 'detached' });

    // By its button, and by words.
    await page.getByRole('button', { name: name(/이 서가에 물어보기/, /^Ask this shelf/) }).click();
    await page.getByTestId('asks-about').waitFor();
    await shop.say(name('위약금은 얼마야?', '위약금 is how much?'));
    await page.getByTestId('trail').first().waitFor();
    assert.match(await page.getByTestId('chat-message').last().innerText(), /70만원/);
    await shot('asked');
    await shop.say(name('계약서 서가에서 보증금은 얼마야?', 'in the contracts shelf, 보증금 is how much?'));
    await page.getByTestId('trail').nth(1).waitFor();
    assert.match(await page.getByTestId('chat-message').last().innerText(), /500만원/);

    // Its settings, and its end.
    await shop.goTo('library');
    await page.getByTestId('shelf-more').click();
    await page.getByTestId('shelf-settings').scrollIntoViewIfNeeded();
    await nothingSerious(page, 'the settings of a shelf');
    await shot('settings');
    await page.getByTestId('shelf-remove').click();
    await page.getByTestId('shelf-remove-with').waitFor();
    await shot('remove');
    await page.getByTestId('shelf-remove-with').click();
    await page.getByTestId('shelf').waitFor({ state: 'detached' });
  });
}
