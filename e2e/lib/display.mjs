// A virtual display with a session bus and a window manager: what a real desktop gives a window.
import { Child } from './children.mjs';

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
    return { env, close };
  } catch (error) {
    await close();
    throw error;
  }
}
