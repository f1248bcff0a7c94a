// A folder is tidied: what would go where stands line by line, lines are unticked, one yes moves the rest, and a button puts it back.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { littered, loose, treeOf } from '../lib/litter.mjs';
import { visit } from '../lib/visit.mjs';

const open = (page, path) => page.evaluate((p) => window.go.main.App.OpenFolder(p, true, ''), path);
const ticks = (page) => page.getByTestId('plan-line').getByRole('checkbox');

test('2,000 files are sorted with one yes, without three of them, and put back', async (t) => {
  const { shop, window, page } = await visit(t);
  const folder = littered(t, '다운로드', 2000);
  const before = treeOf(folder);
  await open(page, folder);
  const [tidy] = await shop.order('다운로드 폴더를 종류별로 정리해줘');
  const question = await shop.questionOf(tidy, 'approval');
  const plan = page.getByTestId('plan');
  await plan.getByText('2,000개 모두').waitFor();
  await window.screenshot('tidy-folded');
  await plan.getByRole('searchbox').fill('회의록 1');
  await ticks(page).first().waitFor();
  for (const at of [0, 1, 2]) await ticks(page).nth(at).uncheck();
  await plan.getByText('2,000개 중 1,997개').waitFor();
  const line = page.getByTestId('plan-line').nth(3);
  await line.hover();
  await line.getByRole('button').click();
  await line.getByRole('textbox').fill('이름을 고친 것.dat');
  await window.screenshot('tidy-naming');
  await line.getByRole('textbox').press('Enter');
  await line.getByText('이름을 고친 것.dat').waitFor();
  await window.screenshot('tidy-picked');
  await nothingSerious(page, 'a plan');
  assert.equal(treeOf(folder), before, 'nothing is moved before the answer');
  await shop.answer(question, 'approve');
  await shop.jobIs(tidy, 'succeeded');
  assert.equal(loose(folder), 3);
  assert.ok(existsSync(join(folder, '압축 파일')));
  await window.screenshot('tidy-done');

  await shop.openJob(tidy);
  await page.getByTestId('undo-job').first().click();
  await page.getByTestId('plan').last().getByText('1,997개 모두').waitFor();
  await window.screenshot('tidy-undo');
  await page.locator('[data-testid="ask-card"][data-ready] [data-choice="approve"]').first().click();
  await page.getByText('1,997가지를 되돌렸어요', { exact: false }).first().waitFor();
  assert.equal(treeOf(folder), before, 'it is as it was');
});

test('a plan fits a small window, in English and in the dark', async (t) => {
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'en', theme: 'dark' },
    context: { viewport: { width: 720, height: 520 } },
  });
  const folder = littered(t, 'Downloads', 30);
  await open(page, folder);
  const [tidy] = await shop.order('sort Downloads by type');
  await shop.questionOf(tidy, 'approval');
  await page.getByTestId('plan').getByText('All 30').waitFor();
  await window.screenshot('tidy-small');
  assert.equal(await overflows(page), false);
  await nothingSerious(page, 'a plan in a small window');
});
