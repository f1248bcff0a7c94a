// Who is at the end of a chat stays there: what is asked stands below what was said, and a typed yes counts only for what is in sight.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openDisplay } from '../lib/display.mjs';
import { visitNative } from '../lib/native-visit.mjs';

let display;
before(async () => (display = await openDisplay({ width: 720, height: 550 })));
after(() => display?.close());

/** How far it is to the end before a status gives way to something larger in one moment, and after it. */
async function giveWayInPage() {
  const chat = document.querySelector('.timeline');
  const left = () => chat.scrollHeight - chat.scrollTop - chat.clientHeight;
  const frames = async () => {
    for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame);
  };
  const block = (height) => {
    const made = document.createElement('div');
    made.style.height = `${height}px`;
    return chat.firstElementChild.appendChild(made);
  };
  const status = block(22);
  await frames();
  const before = left();
  status.remove();
  left(); // somebody looks, and so the chat is laid out without it
  block(260);
  await frames();
  return [before, left()];
}

test('what goes and comes in one moment does not lead away from the end of a chat', async (t) => {
  const { window, shop } = await visitNative(t, display, { lang: 'ko' });
  for (const sum of ['1 더하기 2는?', '3 더하기 4는?', '5 더하기 6은?']) await shop.order(sum);
  const left = await window.evaluate(giveWayInPage);
  assert.ok(Math.max(...left) < 4, `so far from the end, before and after: ${left}`);
});
