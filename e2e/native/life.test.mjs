// The production window goes and comes back: closed and raised, started hidden, started twice, with a real tray and without one.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { run } from '../lib/children.mjs';
import { openDisplay } from '../lib/display.mjs';
import { folderOf, has, visitNative } from '../lib/native-visit.mjs';
import { screenshotPath } from '../lib/paths.mjs';
import { patience } from '../lib/patience.mjs';
import { of } from '../lib/shop.mjs';
import { each, ways } from '../lib/ways.mjs';

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

const visit = (t, settings, options) => visitNative(t, display, settings, options);

/** A picture of the whole screen. */
const picture = (name) => run('scrot', ['--overwrite', screenshotPath(name)], { env: display.env });

for (const lang of ways(['ko', 'en'], import.meta.url)) {
  each(`without a tray closing asks once, goes on, and a second start brings it back, ${lang}`, async (t) => {
    const { window, shop, data, again } = await visit(t, { lang, on_close: 'auto' });
    await window.pressClose();
    await shop.sees('the question', of('leave', { kind: 'close' }));
    await window.screenshot(`native-close-${lang}`);
    await window.press('Escape');
    await shop.sees('no question any more', of('leave'), { count: 0 });
    await window.onScreen(true);

    await window.pressClose();
    await shop.sees('the question', of('close-stay'));
    // Not by the driver: it would wait for a window that is gone.
    await window.evaluate(() => document.querySelector('[data-testid="close-stay"]').click());
    await window.onScreen(false);
    assert.equal(JSON.parse(await readFile(join(data.path, 'settings.json'), 'utf8')).on_close, 'stay');

    await again();
    await window.onScreen(true);
    await shop.jobIs((await shop.order('지금 몇 시예요?'))[0], 'succeeded');
    await shop.sees('what came of it', of('chat-message', { role: 'job' }));
    await window.pressClose(); // asked once is enough
    await window.onScreen(false);

    // What is given to a second start: words go into the box and no further, a file into the library.
    const folder = folderOf(t, 'given');
    await writeFile(join(folder, '규칙.md'), '# 규칙\n\n쉬는 날은 미리 알린다.\n');
    const messages = (await shop.find(of('chat-message'))).length;
    await again(join(folder, '규칙.md'), '쉬는 날은', '언제 알려?');
    await window.onScreen(true);
    await shop.sees('the import', `${of('brought')} ${of('import', { state: 'done' })}`);
    assert.equal(
      await window.evaluate(() => document.querySelector('[data-testid="composer"]').value),
      '쉬는 날은 언제 알려?',
    );
    assert.equal((await shop.find(of('chat-message'))).length, messages, 'nothing was sent');
    assert.equal(await window.closeBySystem(), 0, window.app.output);
  });
}

test('the end is asked about while something goes on, and says what becomes of it', async (t) => {
  const { window, shop } = await visit(t);
  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.jobIs(nav, 'running');
  await window.pressClose();
  await shop.sees('the question', of('leave', { kind: 'quit' }));
  await window.screenshot('native-quit');
  await window.press('Escape');
  await shop.sees('no question any more', of('leave'), { count: 0 });
  await shop.jobIs(nav, 'running');
  assert.equal(await window.closeByPerson(), 0, window.app.output);
});

test('everything pauses and goes on', async (t) => {
  const { window, shop } = await visit(t);
  await window.evaluate(() => window.go.main.App.SetSettings({ paused: true }));
  await shop.sees('that everything rests', of('paused'));
  const [time] = await shop.order('지금 몇 시예요?');
  await shop.jobIs(time, 'queued');
  await window.screenshot('native-paused');
  await window.click(of('go-on'));
  await shop.jobIs(time, 'succeeded');
  await shop.sees('no word of it any more', of('paused'), { count: 0 });
});

test('starting at login is a switch, and what it writes is a desktop file', async (t) => {
  const { window, shop, config } = await visit(t);
  await shop.goTo('settings');
  await shop.sees('the switch', `${of('at-login')} button:not([disabled])`);
  await window.click(`${of('at-login')} button`);
  await shop.sees('it is on', `${of('at-login')} button[data-state="checked"]:not([disabled])`);
  const path = join(config, 'autostart/agentchat.desktop');
  assert.match(await readFile(path, 'utf8'), /^Exec="\/.*agentchat" "--hidden" "--data" "\/.*"$/m);
  if (has('desktop-file-validate')) assert.equal(await run('desktop-file-validate', [path]), '');
  await window.screenshot('native-at-login');
  await window.click(`${of('at-login')} button`);
  await shop.sees('it is off', `${of('at-login')} button[data-state="unchecked"]:not([disabled])`);
  await assert.rejects(readFile(path));
});

test('a hidden start shows nothing until it is called, not for a moment', async (t) => {
  const watch = display.maps();
  t.after(() => watch.stop());
  const { window, shop, again } = await visit(t, {}, { args: ['--hidden'] });
  await window.evaluate(() => window.go.main.App.Snapshot().then(() => undefined));
  await window.onScreen(false);
  assert.doesNotMatch(watch.output, /MapNotify[^\n]*\n[^\n]*override NO/, 'no window came up');
  await again('--hidden'); // at the next login, for one
  await window.onScreen(false);
  await again();
  await window.onScreen(true);
  await shop.opened();
});

test('a real tray: closed behind its icon, raised by a click, ended by its menu', async (t) => {
  if (!has('xfce4-panel')) return t.skip('xfce4-panel is not here: `make setup` installs it');
  const off = await display.tray();
  t.after(off);
  const { window, shop } = await visit(t, { lang: 'en', on_close: 'auto' });
  // The host may come after the shop: closing asks as long as nobody shows icons.
  await until('a tray host', async () =>
    /boolean true/.test(
      await run(
        'dbus-send',
        [
          '--print-reply',
          '--dest=org.kde.StatusNotifierWatcher',
          '/StatusNotifierWatcher',
          'org.freedesktop.DBus.Properties.Get',
          'string:org.kde.StatusNotifierWatcher',
          'string:IsStatusNotifierHostRegistered',
        ],
        { env: display.env },
      ).catch(() => ''),
    ),
  );
  await window.pressClose();
  await window.onScreen(false);
  await shop.sees('no question', of('leave'), { count: 0 });
  const pointer = (...args) => run('xdotool', args.map(String), { env: display.env });
  await until('the icon', async () => {
    await pointer('mousemove', 16, 16, 'click', 1);
    await pause(300);
    return (await run('wmctrl', ['-l'], { env: display.env })).includes('Agent Chat');
  });
  await window.onScreen(true);
  await window.pressClose();
  await window.onScreen(false);
  // Nothing tells that the panel has drawn the menu; who was too quick for it puts it away and opens it again.
  let over = false;
  window.app.ended.then(() => (over = true));
  await until('the end', async () => {
    await pointer('key', 'Escape');
    await pointer('mousemove', 16, 16, 'click', 3);
    await pause(1000);
    await picture('native-tray-menu');
    await pointer('key', 'Up');
    await pointer('key', 'Return');
    for (const end = Date.now() + 10_000; !over && Date.now() < end;) await pause(100);
    return over;
  });
  assert.equal(await window.ended(), 0, window.app.output);
});

async function until(what, holds) {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(100))
    if (await holds()) return;
  throw new Error(`waited in vain for ${what}`);
}
