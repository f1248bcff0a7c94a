// The fake model server, a program of its own that speaks Ollama's HTTP. What it does is chosen by the model a letter
// asks for: `shop` answers sensibly, `waits` waits to be released, `think-field` thinks first, …
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';

import { Child, run } from './children.mjs';
import { asPrograms } from './compiled.mjs';
import { inRepo } from './paths.mjs';

const program = inRepo('build/cache/fakemodel');
let built;

const build = () => (built ??= make());

/** Other tests may run beside these, and start the program while it is made anew: it is there at once, or as it was. */
async function make() {
  const mine = `${program}-${process.pid}`;
  try {
    if (existsSync(program)) copyFileSync(program, mine); // one that is as it should be is not made again
    await run('go', [
      'build',
      '-C',
      inRepo('.'),
      ...asPrograms,
      '-o',
      mine,
      './backend/testing/fakemodel/serve',
    ]);
    renameSync(mine, program);
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Starts the server, and ends it after the test. `plain` makes it no model server at all, `empty` one without models;
 * `port` is for one that comes back where it was, `rules` a file of answers that `shop` gives before its own.
 */
export async function fakeModel(t, { plain = false, empty = false, port = 0, rules = '' } = {}) {
  await build();
  const options = [
    ...(plain ? ['-plain'] : []),
    ...(empty ? ['-no-model'] : []),
    ...(rules ? ['-rules', rules] : []),
  ];
  const child = new Child(program, ['-addr', `127.0.0.1:${port}`, ...options], {
    stdio: ['pipe', 'pipe', 'pipe'], // it ends when its input does
  });
  t.after(() => child.stop());
  const [, address] = await child.says(/listening on (\S+)/);
  return {
    host: `http://${address}`,
    port: Number(address.split(':').pop()),
    stop: () => child.stop(),
    /** Lets go of a model that waits. */
    release: (model) => fetch(`http://${address}/fake/release?model=${model}`, { method: 'POST' }),
    /** Resolves when a letter to the model is in a state: running, done or aborted. */
    awaits: async (model, state) => {
      await fetch(`http://${address}/fake/await?model=${model}&state=${state}`);
    },
  };
}
