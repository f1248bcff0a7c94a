// Text of 200 % in the smallest window: the conversation keeps its room, questions are answered without scrolling, and nothing goes out at the sides.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { drawnInPage } from '../lib/inpage.mjs';
import { besideInPage, folderOf, hiddenInPage, sharesInPage } from '../lib/room.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const tray = of('question-tray');
const panel = of('job-panel');
const ready = (where) => `${where} ${of('ask-card')}[data-ready]`;
const choice = (which, where = tray) => `${where} [data-choice="${which}"]`;

for (const lang of ['ko', 'en']) {
  test(`text of 200 % at 720x520 with questions, ${lang}`, async (t) => {
    const { shop, window, page } = await visit(t, {
      settings: { lang, text_size: 200, pace: 0.1, 'tools.calculator.confirm': 'first' },
      context: { viewport: { width: 720, height: 520 }, reducedMotion: 'reduce' },
    });
    await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px');
    const faults = [];
    /** What must be in sight, wholly; that the conversation has its share; that nothing goes out at a side. */
    const look = async (when, ...selectors) => {
      await page.evaluate(drawnInPage);
      for (const selector of selectors)
        for (const fault of await page.evaluate(hiddenInPage, selector)) faults.push(`${when}: ${fault}`);
      const { conversation } = await page.evaluate(sharesInPage);
      if (conversation < 0.599) faults.push(`${when}: the conversation has ${conversation}`);
      for (const fault of await page.evaluate(besideInPage)) faults.push(`${when}: ${fault}`);
      await window.screenshot(`large-${lang}-${when.replace(/\W+/g, '-')}`);
    };
    const box = [of('composer'), '.composer .send'];
    await look('nothing runs', ...box);
    await shop.order('목적지 A로 네비 켜줘');
    const [song] = await shop.order('노래 불러줘');
    await shop.jobIs(song, 'running');
    await shop.sees('what plays in a bar', of('playing'), { count: 2 });
    await look('something plays', ...box);

    await shop.order('영화도 틀어줘');
    await shop.sees('the question', ready(tray));
    await look('a tool is taken', choice('wait'), choice('cancel'), ...box);
    await window.click(choice('wait'));

    // How far the button reaches is said beside it.
    const [sum] = await shop.order('12 곱하기 3은?');
    await shop.sees('the approval', `${ready(tray)} ${of('reaches')}`);
    await look('an approval for a chat', of('reaches'), choice('reject'), choice('approve'));
    // It needs all the room; the box scrolls into sight when it is gone to, and away again.
    await page.locator(of('composer')).focus();
    await page.locator(of('composer')).scrollIntoViewIfNeeded();
    await look('the box below it', ...box);
    await page.locator(choice('approve')).scrollIntoViewIfNeeded();
    await window.click(choice('approve'));
    await shop.sees('no question', tray, { count: 0 });
    await shop.jobIs(sum, 'succeeded');

    const path = folderOf(t);
    await page.evaluate((p) => window.go.main.App.OpenFolder(p, true, ''), path);
    await shop.order(`회의.txt에 '${'내일 3시에 모여요. '.repeat(20).trim()}' 추가해줘`);
    const answers = ['edit', 'reject', 'approve'];
    await shop.sees('the approval', `${ready(tray)} [data-choice="edit"]`);
    await look('a long change', ...answers.map((which) => choice(which)), ...box);
    await page.keyboard.press('Control+j');
    await shop.sees('the panel', ready(panel));
    await look('the panel', ...answers.map((which) => choice(which, panel)));
    await shop.sees('the focus on the question', `${panel} ${of('ask-card')}:focus`);
    await page.keyboard.press('Escape');
    await shop.sees('the focus back in the box', `${of('composer')}:focus`);
    await page.keyboard.press('Escape');
    await shop.sees('the panel closed', panel, { count: 0 });

    for (const name of await shop.pages()) {
      await shop.goTo(name);
      await look(name);
    }
    assert.deepEqual(faults, []);
  });
}
