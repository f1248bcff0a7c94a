// The few parts that are written in C: what is preloaded into the window, and what acts on it from outside.
import { existsSync, statSync } from 'node:fs';

import { run } from './children.mjs';
import { inRepo } from './paths.mjs';

/**
 * Compiles native/<name>.c with libraries as pkg-config calls them, into native/<as>, when that is missing or older than its source.
 * Gives the path of what it made.
 */
export async function compiled(name, libraries, { as = name, flags = [] } = {}) {
  const [source, built] = [inRepo(`e2e/native/${name}.c`), inRepo(`e2e/native/${as}`)];
  if (existsSync(built) && statSync(built).mtimeMs > statSync(source).mtimeMs) return built;
  const found = (await run('pkg-config', ['--cflags', '--libs', ...libraries])).trim().split(/\s+/);
  await run('cc', [...flags, '-O2', '-Wall', '-Wextra', '-o', built, source, ...found]);
  return built;
}
