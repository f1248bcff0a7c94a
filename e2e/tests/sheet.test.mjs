// What happened while nobody was there: two standing orders wait for an approval, their next moments pass behind the window and while
// the program is killed, and the sheet tells it. What is approved runs exactly as shown, once.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { clockOf } from '../lib/clock.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

/** Says whether the page can be seen, as a window does that is put away and comes back. */
const inSight = (page, is) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    is ? 'visible' : 'hidden',
  );

const tongues = [
  {
    settings: { lang: 'ko', theme: 'light' },
    orders: [
      "매일 아침 8시에 3 더하기 4 계산해주고 회의.txt에 '날씨 확인' 추가해줘",
      "매일 아침 8시에 장보기.txt에 '우유' 추가해줘",
    ],
    yes: '네, 그렇게 해 줘',
    lines: { '회의.txt': '날씨 확인', '장보기.txt': '우유' },
    head: /다녀오신 동안.*확인할 것 2개.*놓친 정기 주문 2개/s,
    busy: /앞선 일이 아직 끝나지 않아서/,
    empty: '그동안 별일 없었어요',
  },
  {
    settings: { lang: 'en', theme: 'dark' },
    orders: [
      "every morning at 8 add 3 and 4 and append 'weather checked' to meeting.txt",
      "every morning at 8 append 'milk' to shopping.txt",
    ],
    yes: /^Yes/,
    lines: { 'meeting.txt': 'weather checked', 'shopping.txt': 'milk' },
    head: /While you were away.*2 wait for you.*2 missed/s,
    busy: /Skipped, as the run before was not finished/,
    empty: 'Nothing happened while you were away',
  },
];

for (const { settings, orders, yes, lines, head, busy, empty } of ways(tongues, import.meta.url)) {
  each(`what waits and what was missed is told and answered on one page, ${settings.lang}`, async (t) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agentchat-sheet-')));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of Object.keys(lines)) writeFileSync(join(folder, name), 'one\n');

    // Each start has a clock of its own, so that none sees the moments that pass while it is being killed.
    const clocks = Array.from({ length: 3 }, () => clockOf(t, { noon: true }));
    const [, then, last] = clocks;
    then.on(1);
    last.on(3);
    const first = await visit(t, { settings, env: clocks[0].env });
    await first.shop.goTo('sheet');
    await first.page.getByText(empty).first().waitFor();
    await nothingSerious(first.page, 'an empty sheet');
    await first.shop.goTo('chat');
    await first.page.evaluate((path) => window.go.main.App.OpenFolder(path, true, ''), folder);
    for (const [n, order] of orders.entries()) {
      await first.shop.say(order);
      const agree = first.page.getByRole('button', { name: yes });
      await agree.click();
      await agree.waitFor({ state: 'detached' }); // or the next one's button would be a second, or this one pressed again
      await finds(
        first.page,
        async (kept) =>
          (await window.go.main.App.StandingOrders()).filter((o) => o.state === 'active').length === kept,
        n + 1,
      );
    }

    // The moment passes while the program is killed: it is made up for, and asks. (That the sheet opens by itself for who touches nothing
    // is seen in the native window.)
    const second = await first.again(then.env);
    await second.shop.goTo('sheet');
    await second.page.waitForFunction(() => document.title.startsWith('(2)'));
    await second.page.locator(of('sheet-question')).nth(1).waitFor();

    // The next one passes behind the window, and the run before still waits. Nothing is in the way of who writes.
    await second.shop.goTo('chat');
    await second.page.locator(of('composer')).fill('half a wish');
    await inSight(second.page, false);
    then.on(2);
    await second.page.evaluate(async () => {
      for (const { id } of await window.go.main.App.StandingOrders())
        await window.go.main.App.ChangeStanding(id, '', 'once'); // what changes has the moments looked at
    });
    await finds(second.page, async () => (await window.go.main.App.Sheet()).missed.length === 2);
    await inSight(second.page, true);
    // It comes with the first of what was missed, and tells of the second a moment later.
    await second.page.locator(of('away')).filter({ hasText: head }).waitFor();
    const high = await second.page.locator(of('away')).evaluate((e) => e.getBoundingClientRect().height);
    assert.ok(high < 840 / 3, `what opens by itself is ${high} px high`);
    assert.equal(await second.page.evaluate(() => document.activeElement?.dataset.testid), 'composer');
    await second.window.screenshot(`sheet-${settings.lang}-head`);
    await nothingSerious(second.page, 'the head of the sheet');

    // And one more while it is killed.
    const { shop, window, page } = await second.again(last.env);
    await shop.goTo('sheet');
    const questions = page.locator(`${of('sheet-question')} ${of('ask-card')}`);
    await page
      .locator(of('sheet-line', { kind: 'missed' }))
      .nth(1)
      .waitFor();
    await questions.nth(1).waitFor();
    assert.equal(await questions.count(), 2);
    const cards = (await questions.allInnerTexts()).join('\n');
    for (const line of Object.values(lines)) assert.ok(cards.includes(line), `the diff shows ${line}`);
    for (const told of await page.locator(of('sheet-line', { kind: 'missed' })).allInnerTexts())
      assert.match(told, busy);
    for (const [width, height] of [
      [1280, 840],
      [720, 520],
    ]) {
      await page.setViewportSize({ width, height });
      await window.screenshot(`sheet-${settings.lang}-${width}`);
      await nothingSerious(page, `the sheet at ${width}`);
      assert.equal(await overflows(page), false);
    }
    await page.setViewportSize({ width: 1280, height: 840 });

    await page.locator(`${of('approve-picked')}:not(:disabled)`).click();
    await finds(page, async () =>
      (await window.go.main.App.StandingOrders()).every((o) => o.runs.some((run) => run.state === 'done')),
    );
    await shop.sees('no question any more', of('ask-card'), { count: 0 });
    await window.screenshot(`sheet-${settings.lang}-done`);
    for (const [name, line] of Object.entries(lines))
      assert.equal(readFileSync(join(folder, name), 'utf8'), `one\n${line}\n`, `${name} holds it once`);
    assert.deepEqual(readdirSync(folder).sort(), Object.keys(lines).sort());

    // It was looked at: it opens by itself no more, and what it told stands in the chat with the way back to it.
    await page.reload();
    await shop.opened();
    await finds(page, async () => (await window.go.main.App.Sheet()).fresh === false);
    await shop.sees('no head', of('away'), { count: 0 });
  });
}
