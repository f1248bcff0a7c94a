// A folder is opened, a file in it is read, written as its diff showed, thrown away and put back, and the folder is closed.
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  existsSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

/** A folder of the person's, with one file in it. The system's dialog cannot be driven here: the page is told the path. */
function folderOf(t, name, file, text) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'agentchat-files-')));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, name);
  mkdirSync(path);
  writeFileSync(join(path, file), text);
  return path;
}
const open = (page, path, write) =>
  page.evaluate(([p, w]) => window.go.main.App.OpenFolder(p, w, ''), [path, write]);

test('files of an opened folder are read, written as shown, thrown away and put back', async (t) => {
  const { shop, window, page } = await visit(t);
  const folder = folderOf(t, '문서', '회의.txt', '안건 하나\n안건 둘\n');
  const file = join(folder, '회의.txt');

  const [without] = await shop.order('회의.txt 읽어줘');
  await shop.jobIs(without, 'failed');
  await page.getByText('폴더 열기', { exact: false }).first().waitFor();

  await shop.goTo('permissions');
  await open(page, folder, false);
  const row = page.locator(of('folder', { path: folder }));
  await row.getByText('읽기만', { exact: true }).waitFor();
  await row.getByRole('button', { name: '문서 쓸 수 있게 하기' }).click();
  await row.getByText('읽고 쓰기', { exact: true }).waitFor();
  await nothingSerious(page, 'opened folders');
  await window.screenshot('files-folders');

  await shop.goTo('chat');
  const [read] = await shop.order('회의.txt 읽어줘');
  await shop.jobIs(read, 'succeeded');
  await page.getByText('안건 둘', { exact: false }).first().waitFor();

  const [write] = await shop.order("회의.txt에 '내일 3시 회의' 추가해줘");
  const question = await shop.questionOf(write, 'approval');
  const diff = page.getByTestId('diff').first();
  await diff.getByText('내일 3시 회의').waitFor();
  await nothingSerious(page, 'an approval with a diff');
  await window.screenshot('files-approval');
  assert.equal(readFileSync(file, 'utf8'), '안건 하나\n안건 둘\n', 'nothing is written before the answer');
  await shop.answer(question, 'approve');
  await shop.jobIs(write, 'succeeded');
  assert.equal(readFileSync(file, 'utf8'), '안건 하나\n안건 둘\n내일 3시 회의\n');

  const [away] = await shop.order('회의.txt 지워줘');
  const sure = await shop.questionOf(away, 'approval');
  assert.ok(existsSync(file));
  await shop.answer(sure, 'approve');
  await shop.jobIs(away, 'succeeded');
  assert.ok(!existsSync(file));

  await shop.goTo('permissions');
  await page.getByRole('button', { name: '회의.txt 되돌리기' }).click();
  await shop.sees('nothing in the trash any more', of('trashed'), { count: 0 });
  assert.equal(readFileSync(file, 'utf8'), '안건 하나\n안건 둘\n내일 3시 회의\n');
  await row.getByRole('button', { name: '문서 폴더 닫기' }).click();
  await shop.sees('no folder any more', of('folder'), { count: 0 });
});

test('folders fit a small window, and one that is gone is said to be', async (t) => {
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'en', theme: 'dark' },
    context: { viewport: { width: 720, height: 520 } },
  });
  const folder = folderOf(t, 'Documents', 'notes.txt', 'one\n');
  await open(page, folder, true);
  const gone = folderOf(t, 'Old things with a rather long name', 'a.txt', 'x');
  await open(page, gone, false);
  await assert.rejects(open(page, '/', true), /folder_refused|whole disk/);
  rmSync(gone, { recursive: true });
  await shop.goTo('permissions');
  await page
    .locator(of('folder', { path: gone }))
    .getByText('there is no such folder', { exact: false })
    .waitFor();
  await page.getByTestId('folders').scrollIntoViewIfNeeded();
  await nothingSerious(page, 'opened folders in the dark');
  assert.equal(await overflows(page), false);
  await window.screenshot('files-folders-small');
});
