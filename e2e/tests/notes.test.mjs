// Notes in the window: written, found, edited, thrown away and brought back; and the desktop's clipboard and browser, which
// the shop reaches only after a yes.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious } from '../lib/checks.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

for (const look of ways(
  [
    { lang: 'ko', theme: 'light' },
    { lang: 'en', theme: 'dark' },
  ],
  import.meta.url,
)) {
  each(`notes are written, found, edited and brought back (${look.lang})`, async (t) => {
    const { shop, window, page } = await visit(t, { settings: look, context: { reducedMotion: 'reduce' } });
    const notes = page.getByTestId('note');
    const shown = (n) =>
      page.waitForFunction((n) => document.querySelectorAll('[data-testid="note"]').length === n, n);
    await shop.goTo('notes');
    await page.getByTestId('notes-page').waitFor();
    await nothingSerious(page, 'no notes');
    await window.screenshot(`notes-empty-${look.lang}`);

    const box = page.locator('[data-testid="notes-page"] textarea').first();
    for (const text of ['우유 사기', '치과 예약: 화요일 3시', 'buy milk\nand eggs']) {
      await box.fill(text);
      await box.press('Control+Enter');
      await notes.filter({ hasText: text.split('\n')[0] }).waitFor();
    }
    await page.getByRole('searchbox').fill('우유');
    await shown(1);
    await page.getByRole('searchbox').fill('');
    await shown(3);

    await notes.filter({ hasText: '우유 사기' }).getByRole('button').first().click();
    const edit = notes.locator('textarea');
    await edit.fill('우유 사기\n계란');
    await edit.press('Control+Enter');
    await notes.filter({ hasText: '계란' }).waitFor();

    await notes.filter({ hasText: '치과' }).getByRole('button').nth(1).click();
    await shown(2);
    await page.getByTestId('notes-trash').locator('summary').click();
    await nothingSerious(page, 'notes');
    await window.screenshot(`notes-${look.lang}`);
    await page.setViewportSize({ width: 720, height: 520 });
    await page.keyboard.press('Control+b'); // the menu lies over a narrow page until it is folded
    await page.waitForFunction(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth <= clientWidth;
    });
    await window.screenshot(`notes-small-${look.lang}`);
    await page.setViewportSize({ width: 1280, height: 840 });
    await page.keyboard.press('Control+b');
    await page.getByTestId('notes-trash').getByRole('button').click();
    await shown(3);
    await page.reload();
    await shop.opened();
    await shop.goTo('notes');
    await shown(3);
  });
}

test('a note said in the chat stands on the page, and one is thrown away only after a yes', async (t) => {
  const { shop, page } = await visit(t, { settings: { lang: 'ko' } });
  const [added] = await shop.order('메모해줘: 우유 사기');
  await shop.jobIs(added, 'succeeded');
  const [thrown] = await shop.order('우유 메모 지워줘');
  const question = await shop.questionOf(thrown, 'approval');
  assert.match(question.text, /우유 사기/, 'what goes is shown');
  await shop.goTo('notes');
  await page.getByTestId('note').filter({ hasText: '우유 사기' }).waitFor();
  await shop.goTo('chat');
  await shop.answer(await shop.questionOf(thrown, 'approval'), 'approve');
  await shop.jobIs(thrown, 'succeeded');
  await shop.goTo('notes');
  await page.getByTestId('notes-trash').filter({ hasText: '1' }).waitFor();
  assert.equal(await page.getByTestId('note').count(), 0);
});

test('the clipboard and the browser are reached after a yes, and only then', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'desktop-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const opened = join(dir, 'opened');
  writeFileSync(join(dir, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`);
  chmodSync(join(dir, 'xdg-open'), 0o755);
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'ko' },
    env: { PATH: `${dir}:${process.env.PATH}` },
  });

  const [copied] = await shop.order('클립보드에 이거 복사해줘: 안녕하세요');
  const copy = await shop.questionOf(copied, 'approval');
  assert.match(copy.text, /안녕하세요/, 'the text that would be copied is shown');
  await shop.answer(copy, 'approve');
  await shop.jobIs(copied, 'succeeded');

  const [read] = await shop.order('클립보드 읽어줘');
  await shop.answer(await shop.questionOf(read, 'approval'), 'approve');
  await shop.jobIs(read, 'succeeded');
  await page.getByTestId('chat-message').filter({ hasText: '클립보드에는 이렇게 있어요' }).waitFor();
  assert.match(await page.getByTestId('chat-message').last().innerText(), /안녕하세요/);

  const [stopped] = await shop.order('https://example.com/no 브라우저로 열어줘');
  await shop.questionOf(stopped, 'approval');
  await shop.stop(stopped);
  const [link] = await shop.order('https://example.com/yes?a=1 브라우저로 열어줘');
  const open = await shop.questionOf(link, 'approval');
  assert.match(open.text, /https:\/\/example\.com\/yes\?a=1/, 'the address is shown in full');
  assert.equal(existsSync(opened), false, 'nothing is opened before a yes');
  await window.screenshot('open-link');
  await shop.answer(open, 'approve');
  await shop.jobIs(link, 'succeeded');
  assert.equal(readFileSync(opened, 'utf8'), 'https://example.com/yes?a=1\n');
});
