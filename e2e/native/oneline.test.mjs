// A key of the desktop's makes one line of the production window: a portal of the test's own grants the key and presses it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { Child, run } from '../lib/children.mjs';
import { compiled } from '../lib/compiled.mjs';
import { openDisplay } from '../lib/display.mjs';
import { visitNative } from '../lib/native-visit.mjs';
import { patience } from '../lib/patience.mjs';
import { of } from '../lib/shop.mjs';
import { each, ways } from '../lib/ways.mjs';

let display, portal;
before(async () => {
  display = await openDisplay();
  portal = new Child(await compiled('portal', ['gio-2.0']), [], { env: display.env });
  await portal.says(/ready/);
});
after(async () => {
  await portal?.stop();
  await display?.close();
});

const hand = (...args) => run('xdotool', args.map(String), { env: display.env });

/** How large the window is on the screen. */
async function size() {
  const [id] = (await hand('search', '--onlyvisible', '--name', 'Agent Chat$')).trim().split('\n');
  const text = await hand('getwindowgeometry', '--shell', id);
  return Object.fromEntries([...text.matchAll(/(WIDTH|HEIGHT)=(\d+)/g)].map(([, k, v]) => [k, Number(v)]));
}

async function until(what, holds) {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(100))
    if (await holds().catch(() => false)) return;
  assert.fail(`${what} did not come: ${JSON.stringify(await size().catch(String))}`);
}

const small = async () => (await size()).HEIGHT < 200;
const large = async () => (await size()).HEIGHT >= 520;
const press = () => portal.signal('SIGUSR1');

for (const [lang, theme] of ways(
  [
    ['ko', 'light'],
    ['en', 'dark'],
  ],
  import.meta.url,
))
  each(`a key makes one line of the window, ${lang}`, async (t) => {
    const { window, shop } = await visitNative(t, display, { lang, theme, on_close: 'stay' });
    const before = await size();
    const bound = portal.output.match(/bound/g)?.length ?? 0;
    await window.evaluate(() => window.go.main.App.SetSettings({ global_key: true }).then(() => undefined));
    await until('the key', async () => (portal.output.match(/bound/g)?.length ?? 0) > bound);

    press();
    await shop.sees('the line', of('one-line'));
    await until('a small window', small);
    await window.screenshot(`native-line-${lang}`);
    // A key goes to whatever has the focus, and the page has its box sooner than the screen has the window.
    const keys = async (...args) => {
      await until('the focus', async () =>
        /Agent Chat$/.test((await hand('getactivewindow', 'getwindowname')).trim()),
      );
      await until('the box', () =>
        window.evaluate(
          () => document.hasFocus() && !!document.activeElement?.closest('[data-testid="one-line"]'),
        ),
      );
      await hand(...args);
    };
    const typed = (text) => keys('type', '--delay', 40, text);
    await typed('3 + 4');
    await keys('key', 'Return');
    await until('the large window', large);
    await shop.sees('no line', of('one-line'), { count: 0 });
    await until('what was said', async () =>
      /3 \+ 4/.test(await window.evaluate(() => document.querySelector('main').innerText)),
    );
    // It grows in steps.
    await until('the size it had before', async () => isDeepStrictEqual(await size(), before));

    // From out of sight Escape goes back there; the next one still has what was typed.
    await window.pressClose();
    await window.onScreen(false);
    press();
    await window.onScreen(true);
    await until('a small window', small);
    await typed('7');
    await keys('key', 'Escape');
    await window.onScreen(false);
    press();
    await window.onScreen(true);
    await until('the line', async () =>
      window.evaluate(() => document.querySelector('[data-testid="one-line"] textarea')?.value === '7'),
    );
    await keys('key', 'Escape');
    await window.onScreen(false);
    assert.equal(await window.closeBySystem(), 0, window.app.output);
  });
