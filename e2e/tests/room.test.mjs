// The conversation has room and questions can be answered where they are shown, at every size: boxes are measured as they
// are drawn, and a button counts as seen only when a click on it would meet it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { drawnInPage } from '../lib/inpage.mjs';
import { folderOf, hiddenInPage, sharesInPage } from '../lib/room.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

/** The least the conversation has of the window's height. */
const ROOM = 0.6;

const sizes = [
  { name: '720x520', lang: 'ko', viewport: { width: 720, height: 520 } },
  { name: '720x520', lang: 'en', viewport: { width: 720, height: 520 } },
  { name: '1280x840', lang: 'ko', viewport: { width: 1280, height: 840 } },
  { name: '1280x840, text of 200 %', lang: 'en', viewport: { width: 1280, height: 840 }, text: 200 },
  { name: '1280x840, zoomed to 200 %', lang: 'ko', viewport: { width: 640, height: 420 }, zoom: 2 },
];

/** Every job that has a light, once for each light. */
const litInPage = () =>
  [...document.querySelectorAll('.board button.tile')].map((e) => e.title.split(' · ')[0]);

class Room {
  constructor(page, large = false) {
    this.page = page;
    this.large = large;
  }

  async settled() {
    await this.page.evaluate(drawnInPage);
  }

  async inSight(what, selector) {
    await this.settled();
    assert.deepEqual(await this.page.evaluate(hiddenInPage, selector), [], what);
  }

  async hasRoom(when, asked = false) {
    await this.settled();
    const shares = await this.page.evaluate(sharesInPage);
    const told = `${when}: ${JSON.stringify(shares)}`;
    assert.ok(shares.conversation >= ROOM - 0.001, told);
    // All of that is the talk and the box: an open question takes of the rest, until the person opens it whole, or the
    // dock beside it. With large letters in a small window what is decided and the buttons come first.
    if (asked !== 'opened') assert.ok(shares.talk >= (asked && this.large ? 0.35 : ROOM) - 0.001, told);
    assert.ok(shares.conversation + shares.board + shares.dock <= 1.001, told);
  }
}

for (const { name, lang, viewport, text, zoom } of ways(sizes, import.meta.url, 2)) {
  each(`room and questions at ${name}, ${lang}`, async (t) => {
    const { shop, window, page } = await visit(t, {
      // What plays goes on for as long as the test takes, on a slow machine, too.
      settings: { lang, workers: 16, pace: 0.1, 'tools.calculator.confirm': 'always' },
      context: { viewport, deviceScaleFactor: zoom ?? 1, reducedMotion: 'reduce' },
    });
    if (text) {
      const browser = await window.context.newCDPSession(page);
      const standard = (16 * text) / 100;
      await browser.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
      await page.reload();
      await shop.opened();
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), '32px');
    }
    const room = new Room(page, Boolean(text || zoom));
    const tray = of('question-tray');
    const choice = (which, where = tray) => `${where} [data-choice="${which}"]`;
    const ready = (where = tray) => `${where} ${of('ask-card')}[data-ready]`;
    const picture = (what) =>
      window.screenshot(`room-${viewport.width}${text ? '-text200' : ''}-${lang}-${what}`);
    await room.hasRoom('nothing runs');

    await shop.order('목적지 A로 네비 켜줘');
    const [song] = await shop.order('노래 불러줘');
    await shop.jobIs(song, 'running');
    await shop.sees('what plays in a bar', of('playing'), { count: 2 });
    assert.equal(
      (await shop.find('#monitor-dock')).filter((e) => e.visible).length,
      0,
      'nothing opens uninvited',
    );
    await room.hasRoom('something plays');
    await shop.openDock();
    await room.hasRoom('the dock is open');
    await picture('dock');

    // A tool is taken.
    const [film] = await shop.order('영화도 틀어줘');
    await shop.sees('the question', ready());
    await shop.sees('the dock folded for it', `${of('dock-toggle')}[aria-expanded="false"]`);
    await room.inSight('waiting is in sight', choice('wait'));
    await room.inSight('canceling is in sight', choice('cancel'));
    await room.hasRoom('a question is open', true);
    const below = await page
      .locator('.timeline')
      .evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
    assert.ok(below < 2, `who was at the end of the chat still is: ${below} px are below`);
    await picture('lock');
    // Who wants to read first folds it to a line.
    const line = `${tray} .head[aria-expanded="false"]`;
    await page
      .locator(tray)
      .getByRole('button', { name: lang === 'ko' ? '질문 접기' : 'Fold the question' })
      .click();
    await shop.sees('the question as one line', line);
    await room.hasRoom('the question is folded');
    await page.locator(line).click();
    await shop.sees('the question again', ready());
    await shop.openDock();
    await room.inSight('waiting, with the dock open', choice('wait'));
    await room.inSight('canceling, with the dock open', choice('cancel'));
    await room.hasRoom('a question and the dock are open', 'opened');
    await window.click(choice('wait'));
    // On a narrow board its light is among those that hang below the line.
    const inLine = page.locator(of('waiting-tile', { job: film, blink: 'none' }));
    await inLine.first().waitFor({ state: 'attached' });

    // A long change is to be approved, with many more questions behind it.
    const path = folderOf(t);
    await page.evaluate((p) => window.go.main.App.OpenFolder(p, true, ''), path);
    const long = '내일 3시에 모여서 다음 분기 계획을 이야기해요. '.repeat(40).trim();
    await page.locator(of('composer')).fill(`회의.txt에 '${long}' 추가해줘`);
    await page.keyboard.press('Enter');
    await shop.sees('the approval', ready());
    for (const sum of ['12 곱하기 3은?', '13 곱하기 3은?', '14 곱하기 3은?', '15 곱하기 3은?']) {
      await shop.order(sum);
    }
    await page.getByTestId('ask-count').getByText('1/5').waitFor();
    for (const which of ['edit', 'reject']) {
      await room.inSight(`${which} is in sight`, choice(which));
    }
    // What is written is longer than its place: it is seen before it is approved.
    await room.inSight('showing all is in sight', `${tray} ${of('ask-unfold')}[data-go]`);
    assert.equal(await page.locator(choice('approve')).count(), 0);
    await room.inSight('what it is about is in sight', `${tray} ${of('ask-gist')} dd`);
    const body = await page
      .locator(`${tray} ${of('ask-body')}`)
      .evaluate((e) => [e.scrollHeight, e.clientHeight]);
    assert.ok(body[0] > body[1], `what is long scrolls in the card: ${body}`);
    await room.hasRoom('five questions are open', true);
    await picture('approval');
    await page.locator(`${tray} ${of('ask-unfold')}`).click();
    await page.locator(`${tray} ${of('ask-body')}:focus`).waitFor();
    for (const which of ['edit', 'reject', 'approve'])
      await room.inSight(`${which} is in sight of the whole question`, choice(which));
    await room.hasRoom('a question is read whole', 'opened');
    await picture('whole');
    await page
      .locator(tray)
      .getByRole('button', { name: lang === 'ko' ? '질문 접기' : 'Fold the question' })
      .click();
    await room.hasRoom('the question is short again', true);
    assert.equal(await overflows(page), false);
    await nothingSerious(page, `questions at ${name}`);

    // The board: one light for each job, those who need the person first, the free as a number.
    const lit = await page.evaluate(litInPage);
    assert.equal(new Set(lit).size, lit.length, `no job twice: ${lit}`);
    assert.equal(lit.length, 8, `${lit}`);
    assert.equal((await shop.find(of('free-workers')))[0].free, '14');
    const first = await shop.find(`${of('board')} ${of('waiting-tile')}`);
    assert.equal(first[0].blink, 'yellow');

    // By keyboard: to the question, through its answers, and away.
    const panel = of('job-panel');
    await page.keyboard.press('Control+j');
    await shop.sees('the focus on the question', `${panel} ${of('ask-card')}:focus`);
    for (const which of ['edit', 'reject', 'approve']) {
      await room.inSight(`${which} is in sight in the panel`, choice(which, panel));
    }
    await room.hasRoom('the panel is open', 'opened');
    await picture('panel');
    await page.keyboard.press('Escape');
    await shop.sees('the focus back in the box', `${of('composer')}:focus`);
    await page.keyboard.press('Escape');
    await shop.sees('the panel closed', panel, { count: 0 });

    await page.keyboard.press('Control+j');
    await shop.sees('the question, ready', `${ready(panel)}:focus`);
    const [asked] = await shop.find(`${panel} ${of('ask-card')}`);
    await page.keyboard.press('Control+Enter');
    await shop.sees('the approval taken', of('ask-card', { ask: asked.ask }), { count: 0 });

    await page.keyboard.press('Control+j');
    await shop.sees('the next question, ready', `${ready(panel)}:focus`);
    const [next] = await shop.find(`${panel} ${of('ask-card')}`);
    assert.notEqual(next.ask, asked.ask);
    await page.locator(choice('reject', panel)).focus();
    await page.keyboard.press('Enter');
    await shop.sees('where one says why', `${panel} ${of('ask-card')} textarea:focus`);
    await room.inSight('sending it is in sight', choice('reject', panel));
    await page.keyboard.press('Control+Enter');
    await shop.sees('the refusal taken', of('ask-card', { ask: next.ask }), { count: 0 });
  });
}

test('the board opens below its line and pushes nothing', async (t) => {
  const { shop, page } = await visit(t, {
    settings: { workers: 8, pace: 0.1 },
    context: { viewport: { width: 720, height: 520 }, reducedMotion: 'reduce' },
  });
  const boxes = () =>
    page.evaluate(() =>
      ['.board', 'main', '.board .tile'].map((s) =>
        JSON.stringify(document.querySelector(s).getBoundingClientRect()),
      ),
    );
  for (const words of ['목적지 A로 네비 켜줘', '노래 불러줘', '노래 불러줘'])
    await shop.jobIs((await shop.order(words))[0], 'running');
  await shop.jobIs((await shop.order('5분 뒤에 알려줘'))[0], 'waiting'); // it is counted then, and the lights are narrower
  await shop.sees('more than the line holds', of('board-more'));
  await page.evaluate(() => window.go.main.App.RenameChat('main', '일')); // its own name may come meanwhile
  const before = await boxes();
  await page.locator(of('board')).hover();
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector('.beyond')).visibility === 'visible',
  );
  assert.deepEqual(await boxes(), before);
  await page.mouse.move(300, 300);
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector('.beyond')).visibility === 'hidden',
  );
  await page.locator(of('board-more')).focus();
  await page.waitForFunction(
    () => getComputedStyle(document.querySelector('.beyond')).visibility === 'visible',
  );
  assert.deepEqual(await boxes(), before);
});

test('history comes first in the side bar; over a narrow page it goes with the choice', async (t) => {
  const { shop, window, page } = await visit(t);
  await shop.sees('the side bar with its conversations', '.side .list');
  const [list, rooms, side] = await page.evaluate(() =>
    ['.side .list', '.side nav', '.side'].map((s) =>
      document.querySelector(s).getBoundingClientRect().toJSON(),
    ),
  );
  assert.ok(list.bottom <= rooms.top + 1, 'the rooms stand after the conversations');
  assert.ok(list.height > side.height * 0.6, `the conversations have ${list.height} of ${side.height}`);

  await page.setViewportSize({ width: 720, height: 520 });
  const scrim = of('scrim');
  await shop.sees('no side bar over the page after narrowing', scrim, { count: 0 });
  const left = () => page.evaluate(() => document.querySelector('main').getBoundingClientRect().left);
  const at = await left();
  const openIt = async () => {
    await page.keyboard.press('Control+b');
    await shop.sees('the side bar over the page', scrim);
  };
  const gone = (how) => shop.sees(`the side bar gone after ${how}`, scrim, { count: 0 });
  await openIt();
  assert.equal(await left(), at, 'the page stays where it is');
  await page.keyboard.press('Escape');
  await gone('Escape');
  await openIt();
  await page.mouse.click(600, 300);
  await gone('a click beside it');
  await openIt();
  await window.click(of('nav-library'));
  await gone('a choice');
  await openIt();
  await shop.sees('a conversation', '.side .list button.name');
  await window.click('.side .list button.name');
  await gone('choosing a conversation');
  await openIt();
  await page.setViewportSize({ width: 1280, height: 840 });
  await gone('the window became wide');
  await page.setViewportSize({ width: 720, height: 520 });
  await gone('the window was wide meanwhile');
});

test('every page begins at the same edge', async (t) => {
  const { shop, page } = await visit(t);
  const left = (selector) =>
    page.evaluate((s) => Math.round(document.querySelector(s).getBoundingClientRect().left), selector);
  const edges = { box: await left('.composer') };
  for (const name of [
    'library',
    'toolbox',
    'standing',
    'favourites',
    'sheet',
    'tickets',
    'bank',
    'notes',
    'memory',
    'models',
    'settings',
    'outside',
    'permissions',
    'audit',
    'letters',
    'logs',
    'services',
    'chat',
  ]) {
    await shop.goTo(name);
    // The page before stays until this one is there; where one stays that never comes to the edge is said below.
    await shop.sees(`the page ${name}`, `main[data-page="${name}"] h1`);
    await page
      .waitForFunction(
        (edge) => Math.round(document.querySelector('main h1')?.getBoundingClientRect().left) === edge,
        edges.box,
        { timeout: 5_000 },
      )
      .catch(() => {});
    edges[name] = await left('main h1');
  }
  assert.equal(new Set(Object.values(edges)).size, 1, JSON.stringify(edges));
});

test('one button sends or stops, in one place', async (t) => {
  const { page } = await visit(t);
  const place = () =>
    page.evaluate(() => JSON.stringify(document.querySelector('.composer .send').getBoundingClientRect()));
  const before = await place();
  await page.locator(of('composer')).fill('x');
  assert.equal(await place(), before);
  assert.equal(await page.locator('.composer .send').count(), 1);
});

test('a small sum is one ticket, and a failure is told once, with the way to what mends it', async (t) => {
  const { shop, window, page } = await visit(t);
  const [sum] = await shop.order('3만5천 나누기 7은?');
  await shop.jobIs(sum, 'succeeded');
  const ticket = of('job-card', { job: sum });
  await shop.sees('the result in the ticket', `${ticket} ${of('chat-message', { role: 'job' })}`);
  assert.match((await shop.find(ticket))[0].text, /5,?000/);
  assert.equal((await shop.find(of('chat-message'))).length, 2, 'what was asked, and what came of it');
  const { height } = await page.locator(ticket).evaluate((e) => e.getBoundingClientRect().toJSON());
  assert.ok(height < 130, `the ticket takes ${height}`);

  const [lost] = await shop.order('회의.txt 읽어줘');
  await shop.jobIs(lost, 'failed');
  const failed = of('job-card', { job: lost });
  await shop.sees('why, in the ticket', `${failed} ${of('chat-message', { role: 'job' })}`);
  const why = (await shop.find(`${failed} ${of('chat-message')} .text`))[0].text;
  const times =
    (await page.evaluate(() => document.querySelector('.timeline').innerText)).split(why).length - 1;
  assert.equal(times, 1, `“${why}” is told once`);
  await window.screenshot('room-tickets');
  await nothingSerious(page, 'tickets with their results');
  await window.click(`${failed} ${of('remedy')}`);
  await shop.sees('the permissions page', of('permissions-page'));
});

for (const [width, height] of ways(
  [
    [720, 520],
    [1280, 840],
  ],
  import.meta.url,
)) {
  each(`with a film, notices over it and a question from elsewhere, at ${width}x${height}`, async (t) => {
    const { shop, window, page } = await visit(t, {
      settings: { pace: 0.1, 'tools.calculator.confirm': 'always' },
      context: { viewport: { width, height }, reducedMotion: 'reduce' },
    });
    const room = new Room(page);
    await shop.order('영화 보여줘');
    await shop.order('노래 불러줘');
    await shop.sees('the film and the song in the bar', of('playing'), { count: 2 });
    for (const piece of [of('playing', { kind: 'movie' }), of('playing', { kind: 'song' })])
      for (const act of ['media-pause', 'media-next', 'media-stop'])
        await room.inSight(`${act} in the bar`, `${piece} ${of(act)}`);
    await room.inSight('the loudspeaker in the bar', `${of('playing')} .volume button`);
    await room.hasRoom('a film plays');
    await window.screenshot(`room-film-${width}`);
    const line = await page.evaluate(() => {
      const box = (s) => document.querySelector(s).getBoundingClientRect();
      const [column, main] = [box('.composer'), box('main')];
      return { column: column.width / parseFloat(getComputedStyle(document.body).fontSize), of: main.width };
    });
    assert.ok(line.column >= 34, `the column stays readable: ${JSON.stringify(line)}`);

    await shop.openDock();
    await page.reload();
    await shop.opened();
    await shop.sees('the picture of what plays, as it was left', '#monitor-dock:not([hidden])');
    await room.hasRoom('the film is shown');

    // A question comes up, the person begins another chat and goes to a page: one click on the board brings it.
    const [sum] = await shop.order('12 곱하기 3은?');
    await shop.sees('the question', of('ask-card'));
    await page.evaluate(() => window.go.main.App.SetSettings({ paused: true }));
    await shop.sees('that everything is paused', of('paused'));
    await room.hasRoom('a notice, a question and the film', true);
    await page.keyboard.press('Control+n');
    for (const where of ['library', 'settings']) {
      await shop.goTo(where);
      const light = of('waiting-tile', { job: sum });
      await room.inSight('the light of the question', light);
      await window.click(light);
      await shop.sees('the question', `${of('job-panel')} ${of('ask-card')}`);
      for (const choice of ['approve', 'reject'])
        await room.inSight(`${choice} on the page ${where}`, `${of('job-panel')} [data-choice="${choice}"]`);
      await room.hasRoom(`the question over ${where}`, true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await shop.sees('the panel closed', of('job-panel'), { count: 0 });
    }
  });
}

test('beside the panel of a job the conversation stays readable, or the panel lies over it', async (t) => {
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'ko' },
    context: { viewport: { width: 1280, height: 840 }, reducedMotion: 'reduce' },
  });
  const [sum] = await shop.order('12 곱하기 3은?');
  await shop.jobIs(sum, 'succeeded');
  await shop.openJob(sum);
  const faults = [];
  for (const [width, height, text] of [
    [720, 520, 100],
    [1080, 720, 100],
    [1081, 720, 100],
    [1168, 720, 100],
    [1169, 720, 100],
    [1280, 840, 100],
    [1280, 840, 150],
    [1920, 1080, 150],
  ]) {
    await page.setViewportSize({ width, height });
    await page.evaluate((percent) => window.go.main.App.SetSettings({ text_size: percent }), text);
    await page.waitForFunction(
      (px) => getComputedStyle(document.documentElement).fontSize === px,
      `${(16 * text) / 100}px`,
    );
    await page.evaluate(drawnInPage);
    const { column, over, inside } = await page.evaluate(() => {
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      const panel = document.querySelector('[data-testid="job-panel"]');
      const line = document.querySelector('.bottom .column');
      const { paddingLeft, paddingRight } = getComputedStyle(line);
      const wide = line.getBoundingClientRect().width - parseFloat(paddingLeft) - parseFloat(paddingRight);
      const box = panel.getBoundingClientRect();
      return {
        column: wide / rem,
        over: getComputedStyle(panel).position === 'absolute',
        inside: box.left >= 0 && box.right <= innerWidth + 1,
      };
    });
    const when = `${width}x${height}, ${text} %: ${column.toFixed(1)} rem${over ? ', the panel over it' : ''}`;
    // Over it, the panel takes nothing of the column: what the window itself gives is measured without it.
    if (!over && column < 28) faults.push(when);
    if (!inside) faults.push(`${when}: the panel goes out at a side`);
    await window.screenshot(`room-panel-${width}-${text}`);
  }
  assert.deepEqual(faults, []);
  // Where it lies over the conversation, Escape gives that back.
  await page.setViewportSize({ width: 720, height: 520 });
  await page.keyboard.press('Escape');
  await shop.sees('the panel closed', of('job-panel'), { count: 0 });
});
