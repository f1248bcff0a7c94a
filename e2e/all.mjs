// Runs all files of a folder, in one process, with one browser and one display for all: node e2e/all.mjs tests [expression of their names].
// With CLAIMS=folder several such processes share the work: each takes a file that no other has taken, the largest first, and the next
// one when that is done. With WAYS=others (and node --test-only) they go through the files whose tests have ways (lib/ways.mjs).
// A file run by itself (node --test e2e/tests/x.test.mjs) has browser and display of its own.
import { openSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, beforeEach, suite, test } from 'node:test';

// Here, so that their browsers stay for all files: what is imported in a file ends with the first that imports it.
import './lib/phone.mjs';
import './lib/visit.mjs';
import { hasWays, inWays } from './lib/ways.mjs';

const [name, only = '.'] = process.argv.slice(2);
const folder = new URL(`./${name}/`, import.meta.url);
const claims = process.env.CLAIMS;

// Whatever a test waits for ends by itself; a test that does not says where it stands, instead of holding up all.
let watch;
beforeEach((t) => {
  watch = setTimeout(() => {
    console.error(`“${t.name}” has not ended in ten minutes`);
    process.exit(1);
  }, 600_000);
});
afterEach(() => clearTimeout(watch));

/** Whether a file is for this process: the first to make a file of its name has it. */
function mine(file) {
  if (!claims) return true;
  try {
    openSync(join(claims, file), 'wx');
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Resolves when all tests of a file have ended. */
const through = (file) =>
  new Promise((done) => {
    suite(file, inWays, async () => {
      after(done);
      try {
        await import(new URL(file, folder).href);
      } catch (error) {
        test('can be read', () => Promise.reject(error));
      }
    });
  });

const files = (await readdir(folder))
  .filter((file) => file.endsWith('.test.mjs') && new RegExp(only).test(file))
  .filter((file) => !inWays.only || hasWays(new URL(file, folder)))
  .sort();
if (claims) {
  const size = (file) => statSync(new URL(file, folder)).size;
  files.sort((a, b) => size(b) - size(a));
}
for (const file of files) if (mine(file)) await through(file);
