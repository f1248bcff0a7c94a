// Runs all files of a folder, in one process, with one browser and one display for all: node e2e/all.mjs tests [expression of their names].
// A file run by itself (node --test e2e/tests/x.test.mjs) has the same, of its own.
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach } from 'node:test';

const [name, only = '.'] = process.argv.slice(2);
const folder = new URL(`./${name}/`, import.meta.url);

// Whatever a test waits for ends by itself; a test that does not says where it stands, instead of holding up all.
let watch;
beforeEach((t) => {
  watch = setTimeout(() => {
    console.error(`“${t.name}” has not ended in ten minutes`);
    process.exit(1);
  }, 600_000);
});
afterEach(() => clearTimeout(watch));

for (const file of (await readdir(folder)).sort())
  if (file.endsWith('.test.mjs') && new RegExp(only).test(file)) await import(new URL(file, folder).href);
