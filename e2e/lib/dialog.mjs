// The system's own file dialogs, as a person answers them: with the keyboard.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { run } from './children.mjs';
import { screenshotPath } from './paths.mjs';
import { patience } from './patience.mjs';

/** Waits for the dialog with this title on a display and goes to it. `hand` types and presses there, `gone` tells whether it was answered. */
async function dialogOf(env, title, shot) {
  const hand = (...args) => run('xdotool', args.map(String), { env });
  const find = ['--onlyvisible', '--name', `^${title}`];
  const [dialog] = (await hand('search', '--sync', ...find)).trim().split('\n');
  await hand('windowactivate', '--sync', dialog);
  if (shot) await run('scrot', ['--overwrite', screenshotPath(shot)], { env });
  // A look that fails because some other window went meanwhile is none: it takes two.
  const gone = async () => {
    for (let missed = 0, until = Date.now() + 5_000; Date.now() < until; await pause(100)) {
      missed = (await hand('search', ...find).catch(() => '')) ? 0 : missed + 1;
      if (missed > 1) return true;
    }
    return false;
  };
  return { hand, gone };
}

/** Saves in a folder, under the name that the dialog offers: it is copied out of the field, once that takes keys. */
export async function saveIn(env, title, folder, { shot } = {}) {
  const copied = () => run('xclip', ['-o', '-selection', 'clipboard'], { env }).catch(() => '');
  await run('xclip', ['-selection', 'clipboard', '-i', '/dev/null'], { env }); // it may hold that very name, from the time before
  const { hand, gone } = await dialogOf(env, title, shot);
  let name = '';
  for (const until = Date.now() + patience; !name && Date.now() < until;) {
    await hand('key', 'ctrl+a', 'ctrl+c');
    await pause(100);
    name = await copied();
  }
  for (let tries = 0; tries < 4; tries++) {
    await hand('key', 'ctrl+a');
    await hand('type', '--delay', 40, join(folder, name.trim().split('/').at(-1)));
    await hand('key', 'Return');
    if (await gone()) return;
  }
  throw new Error(`the dialog “${title}” saved nothing`);
}

/** Chooses a file that is there. What is typed before the dialog has drawn itself is lost: a person would see so, and type again. */
export async function choose(env, title, path, { shot } = {}) {
  const { hand, gone } = await dialogOf(env, title, shot);
  for (let tries = 0; tries < 4; tries++) {
    await hand('key', 'ctrl+a');
    await hand('type', '--delay', 40, path);
    await hand('key', 'Return');
    if (await gone()) return;
  }
  throw new Error(`the dialog “${title}” took no answer`);
}

/** Closes the dialog without an answer. A key that is pressed before it takes keys is lost. */
export async function putAway(env, title) {
  const { hand, gone } = await dialogOf(env, title);
  for (let tries = 0; tries < 4; tries++) {
    await hand('key', 'Escape');
    if (await gone()) return;
  }
  throw new Error(`the dialog “${title}” stayed`);
}
