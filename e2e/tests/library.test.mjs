// The library in the window: a document is brought in, asked about in the chat, and its source opens at the passage.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious } from '../lib/checks.mjs';
import { visit } from '../lib/visit.mjs';

const contract = `근로계약서

제1조(목적) 이 계약은 갑과 을의 근로조건을 정한다.
제2조(계약기간)
① 계약기간은 2026년 3월 1일부터 1년으로 한다.
제5조(임금) 월급은 300만원으로 하고 매월 25일에 지급한다.
<script>alert(1)</script> <img src=x onerror=alert(1)>
`;

test('a newcomer asks about a contract', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'library-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, '우리 근로계약서.txt'), contract);
  await writeFile(join(dir, '빈 문서.txt'), '');
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });

  await shop.goTo('library');
  await page.waitForSelector('[data-testid="library-page"]');
  await page.getByText('아직 문서가 없어요').waitFor();
  await nothingSerious(page, 'an empty library');
  await window.screenshot('library-empty');

  // The system's dialog is outside of the window; the bound method behind it is not.
  await page.evaluate((path) => window.go.main.App.ImportDocuments(path, 'mine'), dir);
  await page.waitForSelector('[data-testid="import"][data-state="done"]');
  await page.getByRole('button', { name: '우리 근로계약서 읽기' }).waitFor();
  await page.getByText('넣지 못한 파일 1개').click();
  await page.getByText('빈 파일이에요').waitFor();
  await nothingSerious(page, 'the library');
  await window.screenshot('library');

  await shop.goTo('chat');
  await shop.say('제5조 내용이 뭐야?');
  const sources = page.getByTestId('sources').last();
  await sources.waitFor();
  assert.match(await sources.innerText(), /우리 근로계약서[\s\S]*제5조\(임금\) · 1쪽/);
  await page.getByTestId('trail').last().locator('summary').click();
  assert.match(await page.getByTestId('trail').last().innerText(), /get_article_by_index/);
  await nothingSerious(page, 'an answer from the library');
  await window.screenshot('library-answer');

  await sources.getByRole('button').first().click();
  await page.waitForSelector('[data-testid="reader"] mark');
  assert.match(await page.getByTestId('reader').innerText(), /<script>alert\(1\)<\/script>/);
  const marked = (await page.locator('[data-testid="reader"] mark').allInnerTexts()).join('');
  assert.match(marked, /^제5조\(임금\) 월급은 300만원/);
  assert.doesNotMatch(marked, /제2조/);
  await nothingSerious(page, 'a document');
  await window.screenshot('library-reader');

  // What was kept with the answer is there after a reload.
  await page.reload();
  await page.getByTestId('sources').last().waitFor();

  await shop.goTo('library');
  await page.getByRole('button', { name: '우리 근로계약서 빼기' }).click();
  await page.getByRole('button', { name: '빼기', exact: true }).last().click();
  await page.getByText('아직 문서가 없어요').waitFor();
});
