// The production window itself: it starts, does a customer's errand, shows it, and ends cleanly.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openDisplay } from '../lib/display.mjs';
import { openNativeWindow } from '../lib/native-window.mjs';
import { dataFolder } from '../lib/paths.mjs';
import { play, scenarios } from '../lib/scenarios.mjs';
import { of, Shop } from '../lib/shop.mjs';

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

/** Opens the window on a data folder (a new one if none is given) and closes both after the test. */
async function visit(t, data = dataFolder()) {
  const window = await openNativeWindow(display, data);
  t.after(async () => {
    await window.close();
    data.remove();
  });
  const shop = new Shop(window);
  await shop.opened();
  return { window, shop, data };
}

test('two wishes at once, then the window is closed by its button', async (t) => {
  const { window, shop } = await visit(t);
  const pictures = await play(scenarios[0], shop);
  assert.ok(pictures.length > 0);
  assert.equal(await window.closeByPerson(), 0, window.app.output);
});

test('the system ends the program while jobs run, and they are there at the next start', async (t) => {
  const data = dataFolder();
  const { window, shop } = await visit(t, data);
  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.jobIs(nav, 'running');
  assert.equal(await window.closeBySystem(), 0, window.app.output);

  const again = await visit(t, data);
  await again.shop.sees('the ticket of yesterday', of('job-card', { job: nav }));
});
