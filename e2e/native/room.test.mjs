// The production window: while a film plays and a question is open the conversation keeps three fifths of the window, the question's
// buttons are in sight, and the bar of what plays does what it says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { run } from '../lib/children.mjs';
import { openDisplay } from '../lib/display.mjs';
import { drawnInPage } from '../lib/inpage.mjs';
import { visitNative } from '../lib/native-visit.mjs';
import { of } from '../lib/shop.mjs';

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

/** The share of the conversation, and which of the elements a click in their middle would miss. */
function measured(selectors) {
  const missed = selectors.filter((selector) => {
    const seen = [...document.querySelectorAll(selector)].find((e) => e.getClientRects().length > 0);
    if (!seen) return true;
    const { left, top, width, height } = seen.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    return !met || !(seen === met || seen.contains(met));
  });
  return { share: document.querySelector('main').getBoundingClientRect().height / innerHeight, missed };
}

test('a film, a song and a question leave the conversation its room', async (t) => {
  const settings = { lang: 'ko', theme: 'light', pace: 0.1, 'tools.calculator.confirm': 'always' };
  const { window, shop } = await visitNative(t, display, settings);
  const check = async (when, ...selectors) => {
    await window.evaluate(drawnInPage);
    const { share, missed } = await window.evaluate(measured, selectors);
    assert.deepEqual(missed, [], when);
    assert.ok(share >= 0.599, `${when}: ${share}`);
  };
  await check('nothing runs', of('composer'));
  await shop.order('영화 보여줘');
  await shop.order('노래 불러줘');
  const song = of('playing', { kind: 'song' });
  await shop.sees('both in the bar', of('playing'), { count: 2 });
  await check(
    'a film plays',
    `${song} ${of('media-next')}`,
    `${song} .volume button`,
    `${song} ${of('media-stop')}`,
  );
  await window.click(`${song} .what`);
  await shop.sees('the picture', '#monitor-dock:not([hidden])');
  await check('the picture is open', of('composer'));
  await window.screenshot('room-native-film');
  await shop.order('12 곱하기 3은?');
  await shop.sees('the question', `${of('ask-card')}[data-ready]`);
  await check('a question is open', '[data-choice="approve"]', '[data-choice="reject"]', of('composer'));
  await window.screenshot('room-native-question');
});

/** Resolves once the page is as large as wanted, or smaller. */
const becomes = ({ width, height }) =>
  new Promise((resolve) => {
    const look = () => innerWidth <= width && innerHeight <= height && resolve(true);
    addEventListener('resize', look);
    look();
  });

test('with text of 200 % in the smallest window a question is answered without scrolling', async (t) => {
  const settings = {
    lang: 'ko',
    theme: 'light',
    text_size: 200,
    pace: 0.1,
    'tools.calculator.confirm': 'always',
  };
  const { window, shop } = await visitNative(t, display, settings);
  await run('wmctrl', ['-r', 'Agent Chat', '-e', '0,20,20,720,520'], { env: display.env });
  await window.evaluate(becomes, { width: 720, height: 520 });
  await shop.order('노래 불러줘');
  await shop.order('12 곱하기 3은?');
  await shop.sees('the question', `${of('ask-card')}[data-ready]`);
  await window.evaluate(drawnInPage);
  const { share, missed } = await window.evaluate(measured, [
    ...['edit', 'reject', 'approve'].map((choice) => `[data-choice="${choice}"]`),
    of('composer'),
    of('send'),
  ]);
  await window.screenshot('room-native-200');
  assert.deepEqual(missed, []);
  assert.ok(share >= 0.599, `${share}`);
});
