// Tables are answered by code: the figure, the rows it rests on, and a picture where that says it better.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const sales = `날짜,지점,품목,금액(원)
2026-01-05,서울,사과,"12,000"
2026-01-17,부산,배,"9,800"
2026-02-03,서울,배,"17,150"
2026-02-11,대구,사과,미정
2026-03-02,서울,귤,"5,500"
2026-03-09,대전,사과,"9,600"
합계,,,"54,050"
`;

/** A folder with a table, opened to the shop. */
async function opened(t) {
  const home = await mkdtemp(join(tmpdir(), 'tables-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, '장부');
  await mkdir(folder);
  await writeFile(join(folder, '매출.csv'), sales);
  await writeFile(join(folder, 'orders.csv'), 'Region,Amount\nNorth,240.20\nSouth,120.10\n');
  return {
    home,
    settings: { lang: 'ko', 'files.folders': JSON.stringify([{ path: folder, write: false }]) },
  };
}

/** What would be saved of a chart: the system's dialog cannot be pressed here. */
async function saved(page, card) {
  await page.evaluate(() => {
    window.saved = {};
    window.go.main.App.SaveChart = (path, title, name, content) => {
      window.saved[name.slice(-3)] = content;
      return Promise.resolve(name);
    };
  });
  for (const ending of ['svg', 'png']) {
    await card.locator(of(`save-${ending}`)).click();
    await page.waitForFunction((key) => window.saved[key], ending);
  }
  return page.evaluate(() => window.saved);
}

test('a table in an opened folder is asked, drawn, and asked on', async (t) => {
  const { settings } = await opened(t);
  const { shop, page } = await visit(t, { settings });

  const [first] = await shop.order('매출.csv에서 지점별 금액 합계');
  await shop.jobIs(first, 'succeeded');
  const card = page.locator(of('job-card', { job: first }));
  await card.getByText('서울', { exact: true }).first().waitFor();
  const chart = card.locator(of('chart', { kind: 'bar' }));
  await chart.waitFor();
  assert.match(await chart.getAttribute('aria-label'), /막대그래프.*가장 큰 값: 서울 34,650/);
  assert.equal(await chart.locator('rect.bar').count(), 3, 'a group without a figure has no bar');

  await card.locator(of('used-rows')).locator('summary').click();
  const used = card.locator(of('used-rows')).locator('table');
  await used.getByText('미정').waitFor();
  assert.match(await card.innerText(), /6줄을 썼어요 \(A2:D7\)[\s\S]*숫자가 아닌 칸 1개 \(D5 ‘미정’\)/);
  assert.match(await used.innerText(), /17,150/);

  const files = await saved(page, card);
  assert.match(files.svg, /^<svg[\s\S]*서울[\s\S]*34,650[\s\S]*<\/svg>$/);
  assert.doesNotMatch(files.svg, /var\(|class=/, 'it stands alone');
  const picture = Buffer.from(files.png, 'base64');
  assert.equal(picture.subarray(1, 4).toString(), 'PNG');
  assert.ok(picture.length > 3000, 'something is drawn');
  if (process.env.PICTURES) await writeFile(join(process.env.PICTURES, 'saved.png'), picture);

  const [both] = await shop.order('지점별 금액 합계와 건수');
  await shop.jobIs(both, 'succeeded');
  const two = page.locator(of('job-card', { job: both }));
  await two.getByRole('columnheader', { name: '금액(원) 합계' }).first().waitFor();
  await two.locator(of('chart')).nth(1).waitFor();
  assert.match(await two.locator(of('chart')).nth(1).getAttribute('aria-label'), /개수.*서울 3/);
  await nothingSerious(page, 'two figures');
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, 'two-figures.png') });

  const [again] = await shop.order('지점별 금액 합계');
  await shop.jobIs(again, 'succeeded');

  const [second] = await shop.order('월별로는?');
  await shop.jobIs(second, 'succeeded');
  const line = page.locator(of('job-card', { job: second })).locator(of('chart', { kind: 'line' }));
  await line.waitFor();
  assert.equal(await line.locator('.dot').count(), 3);

  const [third] = await shop.order('서울만');
  await shop.jobIs(third, 'succeeded');
  await page
    .locator(of('job-card', { job: third }))
    .getByText('지점 = 서울')
    .waitFor();

  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
    await nothingSerious(page, `tables in ${theme}`);
    if (process.env.PICTURES) {
      for (const [width, height] of [
        [720, 520],
        [1280, 840],
      ]) {
        await page.setViewportSize({ width, height });
        for (const [name, part] of [
          ['bar', card],
          ['line', line],
        ]) {
          await part.scrollIntoViewIfNeeded();
          await page.screenshot({ path: join(process.env.PICTURES, `${name}-${theme}-${width}.png`) });
        }
      }
    }
  }
  assert.equal(await overflows(page), false);
});

test('what is no word of the table is said', async (t) => {
  const { settings } = await opened(t);
  const { shop, page } = await visit(t, { settings: { ...settings, lang: 'en' } });
  const [job] = await shop.order('total profit by region in orders.csv');
  await shop.jobIs(job, 'failed');
  await page
    .getByText(/“profit” means nothing in this table/)
    .first()
    .waitFor();
});
