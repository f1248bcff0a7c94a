// Text of 80 % and of 200 % in the smallest window: the conversation keeps its room, questions are answered without scrolling, and nothing is cut or goes
// out at the sides.
import assert from 'node:assert/strict';

import { drawnInPage } from '../lib/inpage.mjs';
import { besideInPage, cutInPage, folderOf, hiddenInPage, sharesInPage } from '../lib/room.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const tray = of('question-tray');
const panel = of('job-panel');
const ready = (where) => `${where} ${of('ask-card')}[data-ready]`;
const choice = (which, where = tray) => `${where} [data-choice="${which}"]`;

for (const [lang, size] of ways(
  [
    ['ko', 200],
    ['en', 200],
    ['ko', 80],
    ['en', 80],
  ],
  import.meta.url,
  2,
)) {
  each(`text of ${size} % at 720x520 with questions, ${lang}`, async (t) => {
    const { shop, window, page } = await visit(t, {
      settings: { lang, text_size: size, pace: 0.1, 'tools.calculator.confirm': 'first' },
      context: { viewport: { width: 720, height: 520 }, reducedMotion: 'reduce' },
    });
    await page.waitForFunction(
      (is) => parseFloat(getComputedStyle(document.documentElement).fontSize) === is,
      (16 * size) / 100,
    );
    const faults = [];
    /** What must be in sight, wholly; that the conversation has its share; that nothing goes out at a side. */
    const look = async (when, ...selectors) => {
      await page.evaluate(drawnInPage);
      for (const selector of selectors)
        for (const fault of await page.evaluate(hiddenInPage, selector)) faults.push(`${when}: ${fault}`);
      const { conversation } = await page.evaluate(sharesInPage);
      if (conversation < 0.599) faults.push(`${when}: the conversation has ${conversation}`);
      for (const fault of await page.evaluate(besideInPage)) faults.push(`${when}: ${fault}`);
      for (const fault of await page.evaluate(cutInPage)) faults.push(`${when}: ${fault}`);
      await window.screenshot(`large-${size}-${lang}-${when.replace(/\W+/g, '-')}`);
    };
    const box = [of('composer'), '.composer .send'];
    await shop.sees('the menu of rooms, which comes after the first paint', '.side [data-testid="nav-more"]');
    await look('nothing runs', ...box, '.side [data-testid="nav-more"]');
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
    // A short card shows what is out of sight before it is approved; with large letters in so low a window the card is whole.
    const goesOn = size > 100 ? choice('approve') : `${tray} ${of('ask-unfold')}`;
    await shop.sees('how it goes on', goesOn); // it is measured first
    await look('a long change', choice('edit'), choice('reject'), goesOn, ...box);
    await page.keyboard.press('Control+j');
    await shop.sees('the panel', ready(panel));
    await look('the panel', ...answers.map((which) => choice(which, panel)));
    await shop.sees('the focus on the question', `${panel} ${of('ask-card')}:focus`);
    await page.keyboard.press('Escape');
    await shop.sees('the focus back in the box', `${of('composer')}:focus`);
    await page.keyboard.press('Escape');
    await shop.sees('the panel closed', panel, { count: 0 });

    await page.locator(choice('reject')).scrollIntoViewIfNeeded();
    await window.click(choice('reject'));
    await page.keyboard.press('Control+Enter'); // without saying why
    await shop.sees('no question', tray, { count: 0 });

    // A job that is over and can be taken back has most to press in its head.
    const [note] = await shop.order('우유 사기 메모해줘');
    await shop.jobIs(note, 'succeeded');
    await shop.openJob(note);
    await shop.sees('taking it back', `${panel} ${of('undo-job')}`);
    await look('the panel of what is done', `${panel} .top button`);
    await page.keyboard.press('Escape');
    await shop.sees('the panel closed', panel, { count: 0 });

    // The head of a folder, with a name that is long, and of a project, in the list of chats.
    const group = (title, folder) =>
      page.evaluate((in_) => window.go.main.App.SaveProject(in_), {
        ...{ id: '', title, instructions: '', model: '', folders: [], shelves: [] },
        folder,
      });
    const home = await group('우리 집 이사와 계약과 대출과 수리', true);
    await group('Book', false);
    await page.evaluate(
      (project) => window.go.main.App.SetChat('main', { project, instructions: '', model: '' }),
      home.id,
    );
    // With small letters the list stands beside the page from the start.
    const beside = size < 100;
    if (!beside) await page.keyboard.press('Control+b');
    const heads = `:is(${of('folder')}, ${of('project')})`;
    await shop.sees('the heads in the list', `${heads} button`);
    await page.locator(of('folder')).scrollIntoViewIfNeeded();
    await look('the head of a folder', `${of('folder')} button`);
    await page.locator(of('project')).scrollIntoViewIfNeeded();
    await look('the head of a project', `${of('project')} button`);
    if (!beside) await page.keyboard.press('Escape');
    await shop.sees('the list put away', of('scrim'), { count: 0 });

    for (const name of await shop.pages()) {
      await shop.goTo(name);
      await shop.sees('the page', `main[data-page="${name}"]`);
      await look(name);
    }
    assert.deepEqual(faults, []);
  });
}
