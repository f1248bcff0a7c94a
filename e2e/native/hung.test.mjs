// A desktop that never answers: a panel, a notification server and at last the bus itself are there and hang. The window opens, does its
// work and closes as if they were well.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { run } from '../lib/children.mjs';
import { openDisplay } from '../lib/display.mjs';
import { folderOf, has, visitNative } from '../lib/native-visit.mjs';
import { patience } from '../lib/patience.mjs';
import { of } from '../lib/shop.mjs';

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

/** Waits until somebody on the bus has a name. */
async function owned(name) {
  const ask = ['--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'];
  const has = () =>
    run('dbus-send', [...ask, 'org.freedesktop.DBus.NameHasOwner', `string:${name}`], { env: display.env });
  for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(100))
    if (/boolean true/.test(await has().catch(() => ''))) return;
  throw new Error(`nobody is ${name}`);
}

/** Opens the window, has it ask and end a job behind its back, brings it back and ends it: how long that took, in milliseconds. */
async function dayOf(t) {
  const folder = folderOf(t, 'agentchat-hung');
  writeFileSync(join(folder, '회의.txt'), 'one\n');
  const began = performance.now();
  const { window, shop, again } = await visitNative(t, display, { on_close: 'stay' });
  const opened = Math.round(performance.now() - began);
  await window.evaluate((path) => window.go.main.App.OpenFolder(path, true, ''), folder);
  const times = [];
  const timed = async (what) => {
    const start = performance.now();
    await what();
    times.push(Math.round(performance.now() - start));
  };
  await timed(() => window.pressClose().then(() => window.onScreen(false)));
  for (const text of ["회의.txt에 '우유' 추가해줘", '3 더하기 4 계산해줘'])
    await window.evaluate((said) => window.go.main.App.Say('main', said, '', ''), text);
  for (let n = 0; n < 5; n++) {
    await pause(200); // while notifications of it are on their way
    await timed(() => window.evaluate(() => window.go.main.App.Snapshot().then(() => undefined)));
  }
  await timed(() => again().then(() => window.onScreen(true)));
  await shop.sees('the window as it should be', `${of('composer')}, ${of('sheet-page')}`);
  const end = performance.now();
  assert.equal(await window.closeBySystem(), 0, window.app.output);
  return { opened, longest: Math.max(...times), closed: Math.round(performance.now() - end) };
}

test('a panel, a notification server and a bus that hang hold up nobody', async (t) => {
  if (!has('dunst') || !has('xfce4-panel'))
    return t.skip('dunst and xfce4-panel: `make setup` installs them');
  const off = await display.tray();
  const notices = await display.notices();
  t.after(off);
  t.after(() => notices.close());
  await owned('org.kde.StatusNotifierWatcher');
  await owned('org.freedesktop.Notifications');
  const well = await dayOf(t);
  t.diagnostic(`well: ${JSON.stringify(well)}`);

  off.panel.signalAll('SIGSTOP');
  notices.server.signalAll('SIGSTOP');
  t.after(() => [display.bus, off.panel, notices.server].forEach((one) => one.signalAll('SIGCONT')));
  const hung = await dayOf(t);
  t.diagnostic(`panel and notifications hang: ${JSON.stringify(hung)}`);

  display.bus.signalAll('SIGSTOP');
  const alone = await dayOf(t);
  t.diagnostic(`the bus hangs, too: ${JSON.stringify(alone)}`);
  for (const day of [hung, alone]) {
    assert.ok(day.opened < 2 * well.opened + 5000, `opened after ${day.opened} ms, not ${well.opened}`);
    assert.ok(day.longest < well.longest + 3000, `waited ${day.longest} ms, not ${well.longest}`);
    assert.ok(day.closed < well.closed + 3000, `closed after ${day.closed} ms, not ${well.closed}`);
  }
});
