// A virtual display with a session bus and a window manager: what a real desktop gives a window.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Child, run } from './children.mjs';
import { patience } from './patience.mjs';

/** The accessibility bus, where one of the usual systems keeps it; it comes with at-spi2-core. */
export const A11Y_BUS = ['/usr/libexec', '/usr/lib/at-spi2-core', '/usr/lib']
  .map((folder) => `${folder}/at-spi-bus-launcher`)
  .find((path) => existsSync(path));

/**
 * Opens a display of its own, on a number the X server picks; the server does not begin anew, as it would by itself, whenever the last program has left it.
 * With `accessible` there is a bus on which programs tell screen readers what they show (see spoken.mjs); else none, so that GTK does not start one that nobody ends.
 */
export async function openDisplay({ width = 1360, height = 920, accessible = false } = {}) {
  const children = [];
  const start = (...args) => {
    const child = new Child(...args);
    children.unshift(child);
    return child;
  };
  const close = async () => {
    for (const child of children.splice(0)) await child.stop();
  };
  try {
    const server = start(
      'Xvfb',
      ['-displayfd', '3', '-noreset', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      },
    );
    const [, number] = await server.says(/(\d+)\n/);
    const bus = start('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=3'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const [, address] = await bus.says(/(\S+)\n/);
    const env = {
      ...process.env,
      DISPLAY: `:${number}`,
      DBUS_SESSION_BUS_ADDRESS: address,
      XDG_SESSION_TYPE: 'x11',
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1',
      LC_ALL: 'C.UTF-8',
    };
    delete env.WAYLAND_DISPLAY;
    if (accessible) {
      delete env.NO_AT_BRIDGE;
      start(A11Y_BUS, ['--launch-immediately'], { env });
    }
    const manager = start('openbox', ['--sm-disable'], { env });
    await managed(env, manager);
    return {
      env,
      close,
      bus,
      tray: () => tray(start, env),
      notices: () => notices(start, env),
      maps: () => maps(start, env),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Resolves once there is a window manager: it gives no window the focus that was there before. */
async function managed(env, manager) {
  let ended;
  manager.ended.then(
    (how) => (ended = how),
    (error) => (ended = error.message),
  );
  for (const deadline = Date.now() + patience; ended === undefined && Date.now() < deadline; await pause(25))
    if (await run('wmctrl', ['-m'], { env }).catch(() => false)) return;
  throw new Error(`${manager.name} manages no window (ended: ${ended}):\n${manager.output}`);
}

/** Puts a real panel with nothing but its tray on a display; the result takes it away, and has the panel itself. */
async function tray(start, env) {
  const home = await mkdtemp(join(tmpdir(), 'panel-'));
  const own = { ...env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  for (const [property, ...value] of [
    ['/panels', '-t', 'int', '-s', '1', '-a'],
    ['/panels/panel-1/plugin-ids', '-t', 'int', '-s', '1', '-a'],
    ['/panels/panel-1/position', '-t', 'string', '-s', 'p=6;x=0;y=0'],
    ['/panels/panel-1/size', '-t', 'uint', '-s', '32'],
    ['/plugins/plugin-1', '-t', 'string', '-s', 'systray'],
  ])
    await run('xfconf-query', ['-c', 'xfce4-panel', '-n', '-p', property, ...value], { env: own });
  const panel = start('xfce4-panel', ['--disable-wm-check'], { env: own });
  const off = async () => {
    await panel.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  };
  return Object.assign(off, { panel });
}

/** Writes down every window that comes up, however shortly. */
const maps = (start, env) => start('stdbuf', ['-oL', 'xev', '-root', '-event', 'substructure'], { env });

/** A real notification server on a display. `click` waits for a notification to be shown and clicks it with the pointer. */
async function notices(start, env) {
  const home = await mkdtemp(join(tmpdir(), 'notices-'));
  const config = join(home, 'dunstrc');
  await writeFile(
    config,
    '[global]\norigin = top-right\noffset = 10x10\nmouse_left_click = do_action\nidle_threshold = 0\n[urgency_normal]\ntimeout = 0\n',
  );
  const server = start('dunst', ['-conf', config, '-print'], { env });
  const shown = () =>
    run('xdotool', ['search', '--onlyvisible', '--class', '^Dunst$'], { env }).catch(() => '');
  return {
    server,
    async click() {
      for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(100)) {
        const [window] = (await shown()).trim().split('\n');
        if (!window) continue;
        await run('xdotool', ['mousemove', '--window', window, '20', '20', 'click', '1'], { env });
        return;
      }
      throw new Error(`no notification was shown:\n${server.output}`);
    },
    async close() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
