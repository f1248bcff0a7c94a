// Many documents and long ones: everything is reached by keyboard, and nothing stutters.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious } from '../lib/checks.mjs';
import { longText } from '../lib/documents.mjs';
import { drop } from '../lib/drop.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

/** The most passages that may be drawn at once, of thousands: what stands on the screen and near to it. */
const DRAWN = 200;

/**
 * Counts, from now on, how long the page is busy without a pause; `busiest` gives the longest such stretch. It is told and not judged:
 * a busy machine is slow for everyone. What keeps the page quick is judged: how much of a long text is drawn at all.
 */
async function watchFrames(page) {
  await page.evaluate(() => {
    window.__busy = [];
    new PerformanceObserver((list) =>
      window.__busy.push(...list.getEntries().map((e) => e.duration)),
    ).observe({
      type: 'longtask',
    });
  });
  return () =>
    page.evaluate(
      () =>
        new Promise((resolve) =>
          setTimeout(() => {
            const longest = Math.round(Math.max(0, ...window.__busy));
            window.__busy = [];
            resolve(longest);
          }, 200),
        ),
    );
}

test('a document of 500 pages opens at its passage and scrolls smoothly', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'long-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, '긴 계약.txt'), longText('긴 계약', 500));
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  await shop.goTo('library');
  await shop.sees('the page', of('library-page'));
  await drop(page, [dir]);
  await page.waitForSelector('[data-testid="import"][data-state="done"]');
  await shop.goTo('chat');
  const busiest = await watchFrames(page);
  await shop.say('제1603조 내용이 뭐야?');
  await page.getByTestId('sources').getByRole('button').first().focus();
  await busiest();
  await page.keyboard.press('Enter');
  const mark = page.locator('[data-testid="reader"] mark').first();
  await mark.waitFor();
  await page.getByTestId('reader-page').getByText('401 / 500쪽').waitFor();
  const inSight = () =>
    mark.evaluate((m) => {
      const { top, bottom } = m.getBoundingClientRect();
      const box = document.querySelector('[data-testid="reader-text"]').getBoundingClientRect();
      return bottom > box.top && top < box.bottom;
    });
  await page.waitForFunction(() => {
    const top = document.querySelector('[data-testid="reader"] mark')?.getBoundingClientRect().top ?? -1;
    return top > 0 && top < innerHeight;
  });
  assert.match(await mark.innerText(), /^제1603조/);
  const opening = await busiest();
  assert.equal(await inSight(), true, 'and it stays there');
  const drawn = () => page.locator('[data-testid="reader"] [data-n]').count();
  const opened = await drawn();
  assert.ok(opened > 0 && opened < DRAWN, `${opened} passages are drawn to show one`);
  await window.screenshot('library-long');

  // The focus is in the text: the keys of a reader work at once.
  for (const key of ['Home', 'End', 'PageUp', 'PageUp', 'PageDown', 'Space']) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
  }
  await page.keyboard.press('Home');
  await page.getByTestId('reader-page').getByText('1 / 500쪽', { exact: true }).waitFor();
  for (let i = 0; i < 60; i++) {
    await page.mouse.move(700, 500);
    await page.mouse.wheel(0, 4000);
  }
  const scrolling = await busiest();
  // A jump from the table of contents, by keyboard.
  await page.getByRole('button', { name: '차례' }).focus();
  await page.keyboard.press('Enter');
  const entry = page.getByRole('button', { name: '제1203조(사항 1203)' });
  await entry.waitFor();
  await busiest();
  await entry.focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('reader-page').getByText('301 / 500쪽').waitFor();
  await page.waitForFunction(() => {
    const found = [...document.querySelectorAll('[data-n] span')].find((s) =>
      s.textContent.startsWith('제1203조'),
    );
    const top = found?.getBoundingClientRect().top ?? -1;
    return top > 0 && top < innerHeight;
  });

  // Found by words: counted, marked and gone to, onwards and back around, though little is drawn.
  await page.keyboard.press('Control+f');
  const status = page.getByTestId('reader-find').getByRole('status');
  await page.keyboard.type('(사항');
  await status.getByText('1203 / 2000').waitFor();
  const now = page.locator('[data-testid="reader"] mark.now');
  const shown = (article) =>
    page.waitForFunction((start) => {
      const m = document.querySelector('[data-testid="reader"] mark.now');
      const top = m?.getBoundingClientRect().top ?? -1;
      return m?.closest('[data-n]').textContent.includes(start) && top > 0 && top < innerHeight;
    }, article);
  await page.getByRole('searchbox').fill('제 77 조');
  await status.getByText('없어요').waitFor();
  await page.getByRole('searchbox').fill('(사항 77)');
  await status.getByText('1 / 1').waitFor();
  await shown('제77조(사항 77)');
  assert.equal(await now.innerText(), '(사항 77)');
  await page.getByRole('searchbox').fill('(사항 19');
  await status.getByText('2 / 111').waitFor();
  await shown('(사항 190)');
  await page.keyboard.press('Shift+Enter');
  await shown('(사항 19)');
  await page.keyboard.press('Shift+Enter');
  await status.getByText('111 / 111').waitFor();
  await shown('(사항 1999)');
  await window.screenshot('library-find');
  await page.keyboard.press('Enter');
  await shown('(사항 19)');
  await nothingSerious(page, 'a search in a long document');
  await page.keyboard.press('Escape');
  await page.getByTestId('reader-find').waitFor({ state: 'detached' });
  await nothingSerious(page, 'a long document');
  const seen = await drawn();
  assert.ok(seen > 0 && seen < DRAWN, `${seen} passages are drawn after a look at all places`);
  t.diagnostic(
    `longest work: opening ${opening} ms, scrolling ${scrolling} ms; drawn: ${opened}, then ${seen}`,
  );
  await page.keyboard.press('Escape');
  await page.getByTestId('sources').waitFor();

  // On a slow computer the text is drawn long after it was scrolled to: the page that is told is still the one in sight.
  await page.evaluate(() => {
    const Observer = window.IntersectionObserver;
    window.IntersectionObserver = class extends Observer {
      constructor(tell, options) {
        super((seen, self) => setTimeout(() => tell(seen, self), 400), options);
      }
    };
  });
  await page.getByTestId('sources').getByRole('button').first().click();
  await page.getByTestId('reader-page').getByText('401 / 500쪽').waitFor();
  await page.getByTestId('reader-text').press('Home');
  await page.getByTestId('reader-page').getByText('1 / 500쪽', { exact: true }).waitFor();
});

test('a thousand documents are listed, found and used by keyboard', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'many-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  for (let i = 1; i <= 1000; i++)
    await writeFile(join(dir, `계약 ${String(i).padStart(4, '0')}.txt`), `제1조(목적) ${i}번 계약이다.\n`);
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  await shop.goTo('library');
  await shop.sees('the page', of('library-page'));
  const busiest = await watchFrames(page);
  await drop(page, [dir]);
  await page.waitForSelector('[data-testid="import"][data-state="done"]');
  const importing = await busiest();
  await page.getByText('1000개를 넣었어요.').first().waitFor();
  await shop.goTo('chat');
  await busiest();
  await shop.goTo('library');
  await shop.sees('the first of them', of('document', { kind: 'mine' }), { count: 50 });
  const listing = await busiest();
  await page.getByRole('button', { name: '50개 더 보기 (950개 남음)' }).focus();
  await page.keyboard.press('Enter');
  await shop.sees('more of them', of('document', { kind: 'mine' }), { count: 100 });
  await page.getByRole('searchbox').focus();
  await busiest();
  await page.keyboard.type('계약 0777');
  await page.getByText('1개 찾았어요').first().waitFor();
  const finding = await busiest();
  await window.screenshot('library-many');
  await nothingSerious(page, 'a thousand documents');
  // From the box to the document and back, with Tab, Enter and Escape alone.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByTestId('reader-text').getByText('777번 계약이다').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.activeElement?.ariaLabel === '계약 0777 읽기');
  await page.keyboard.press('Tab'); // to ask about it
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await shop.sees(
    'it as a standard',
    `${of('document', { kind: 'standard' })} [aria-label="계약 0777 읽기"]`,
  );
  t.diagnostic(`longest work: importing ${importing} ms, listing ${listing} ms, finding ${finding} ms`);
});
