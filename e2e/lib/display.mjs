// A virtual display with a session bus and a window manager: what a real desktop gives a window.
import { setTimeout as pause } from 'node:timers/promises';

import { Child, run } from './children.mjs';

/** Opens a display of its own, on a number the X server picks. */
export async function openDisplay({ width = 1360, height = 920 } = {}) {
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
      ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'],
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
      NO_AT_BRIDGE: '1', // no accessibility bus: it would outlive the test
      LC_ALL: 'C.UTF-8',
    };
    delete env.WAYLAND_DISPLAY;
    start('openbox', ['--sm-disable'], { env });
    return { env, close, closeDialogOf: (child) => closeDialogOf(child, env) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closes the dialog that a program shows before its window, with its close button, as soon as it is there. */
async function closeDialogOf(child, env) {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await pause(100)) {
    const windows = await run('wmctrl', ['-lp'], { env });
    const own = windows.split('\n').filter((line) => Number(line.split(/\s+/)[2]) === child.pid);
    // In the order in which they came: the window itself, which is still empty, then the dialog.
    if (own.length > 1) return run('wmctrl', ['-i', '-c', own.at(-1).split(' ')[0]], { env });
  }
  throw new Error(`${child.name} shows no dialog:\n${child.output}`);
}
