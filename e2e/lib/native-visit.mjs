// The production window with a data folder and settings of its own, as a person's computer has it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Child } from './children.mjs';
import { clockOf } from './clock.mjs';
import { openNativeWindow } from './native-window.mjs';
import { dataFolder, inRepo } from './paths.mjs';
import { Shop } from './shop.mjs';

/** Whether a program is on this computer. */
export function has(program) {
  try {
    execFileSync('which', [program]);
    return true;
  } catch {
    return false;
  }
}

/** A folder that goes with the test. */
export function folderOf(t, name) {
  const path = mkdtempSync(join(tmpdir(), `${name}-`));
  t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }));
  return path;
}

/**
 * Opens the window on a data folder of its own, or on `data`. `options` are those of openNativeWindow. `again` starts the program a second time
 * beside the first, which must send it home.
 */
export async function visitNative(t, display, settings, { data = dataFolder(settings), ...options } = {}) {
  const config = (data.env.XDG_CONFIG_HOME ??= folderOf(t, 'config'));
  const window = await openNativeWindow(display, data, options);
  t.after(async () => {
    await window.close();
    data.remove();
  });
  const shop = new Shop(window);
  if (!options.args) await shop.opened();
  const again = async (...args) => {
    const second = new Child(inRepo('build/bin/agentchat'), args, { env: { ...display.env, ...data.env } });
    t.after(() => second.stop());
    assert.equal(await second.ended, 0, second.output);
  };
  return { window, shop, data, config, again };
}

/** The window whose clock a test sets: where it stands (see clock.mjs), and how it is started. */
export function movedClock(t, data, options) {
  const clock = clockOf(t, options);
  Object.assign(data.env, clock.env);
  return { options: { data, binary: inRepo('build/bin/agentchat-moved') }, to: clock.to };
}
