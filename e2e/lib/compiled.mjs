// What tests compile: the few parts that are written in C, which are preloaded into the window or act on it from outside, and programs in Go.
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

/** How Go builds a program for a test: as those are built that people get, so that what they have in common was compiled before. */
export const asPrograms = ['-trimpath', '-tags=nethttpomithttp2', '-ldflags=-w -s'];
