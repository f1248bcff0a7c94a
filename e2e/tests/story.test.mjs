// One shop, many doors: while a film plays, a foreign program and a shell both ask for the monitor; one is answered on a phone, one in the window.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

import { nothingSerious } from '../lib/checks.mjs';
import { pipeTo, program } from '../lib/open-shop.mjs';
import { screenshotPath } from '../lib/paths.mjs';
import { card, link, paired } from '../lib/phone.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const settings = {
  'guests.open': true,
  'guests.port': 0,
  'guests.wait_seconds': 600, // it is told how it ended, however long that takes here
  'pager.open': true,
  'pager.port': 0,
};

test('a foreign client and a shell ask for the monitor of one shop', async (t) => {
  const { shop, window, page, env: own } = await visit(t, { settings });
  const mine = await paired(t, () => link(window));
  const [film] = await shop.order('영화 틀어줘');
  await shop.jobIs(film, 'running');
  await shop.say('한 편만 반복 재생'); // it is a short one
  await page.getByText('되풀이해서 틀게요').first().waitFor();

  const { key } = await window.evaluate(() =>
    globalThis.go.main.App.AddGuest({ name: 'Cursor', tools: ['nav'], calls: 9, changes: 9 }),
  );
  const env = { ...process.env, ...own };
  const client = await pipeTo(t, env, key);
  const called = client.callTool({ name: 'nav', arguments: { destination: '부산' } });
  const guest = mine.locator('[data-ready] [data-ask]').filter({ hasText: 'Cursor · ' });
  await guest.waitFor();
  const one = await guest.getAttribute('data-ask');

  const shell = spawn(program, ['ask'], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  const [hint, code] = [text(shell.stderr), new Promise((done) => shell.on('exit', done))];
  shell.stdin.end('목적지 B로 네비 켜줘\n');
  const local = mine.locator(`[data-ready] [data-ask]:not([data-ask="${one}"])`);
  await local.waitFor();
  const two = await local.getAttribute('data-ask');
  assert.equal(await code, 3, 'nobody is at a pipe: it says that a person is waited for, and how to answer');
  assert.match(await hint, new RegExp(`answer ${two.slice(-6)}`, 'u'));

  // Both stand in the window, each with who asks and who has the monitor.
  await mine.screenshot({ path: screenshotPath('story-phone'), fullPage: true });
  const tray = page.getByTestId('question-tray');
  const shown = {};
  for (const next of [true, false]) {
    const ask = tray.getByTestId('ask-card');
    shown[await ask.getAttribute('data-ask')] = await ask.innerText();
    if (next) await tray.getByRole('button', { name: '다음 질문' }).click();
  }
  assert.deepEqual(Object.keys(shown).sort(), [one, two].sort());
  assert.match(shown[one], /Cursor · /u);
  assert.doesNotMatch(shown[two], /Cursor/u);
  await window.screenshot('story-window');
  await nothingSerious(page, 'two questions from outside');

  // The program's is answered on the phone, the shell's in the window; the program is told.
  await mine.locator(card(one)).getByRole('button', { name: '이 일 취소' }).click();
  assert.equal((await called).structuredContent.status, 'called_off');
  await tray.locator(`[data-ask="${two}"] button[data-choice="stop_other"][data-holder="${film}"]`).click();
  await shop.jobIs(film, 'canceled');
  await mine.getByText('기다리는 질문이 없어요.').waitFor();
  await page
    .locator(of('job-card', { state: 'running' }))
    .first()
    .waitFor();
});
