// Some tests are gone through in several ways: both languages, light and dark, small and large. `make test` (WAYS=some) takes one way of
// each, or as many as it says, another from file to file; `make test-all` (WAYS=others) takes those that are left, and no other test. Whoever
// runs a file goes through all of them.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';

const which = process.env.WAYS;
const turns = new Map(); // by file, how often it was asked for

/** The options of a test that has ways: with node --test-only no other one runs. */
export const inWays = which === 'others' ? { only: true } : {};

/** A test in one of its ways. */
export const each = (name, options, body = options) =>
  test(name, body === options ? inWays : { ...options, ...inWays }, body);

/** Whether a file has such tests. */
export const hasWays = (file) => readFileSync(file, 'utf8').includes('/ways.mjs');

/** Which of all ways are gone through now. The file is where they stand (import.meta.url), `some` how many of them `make test` takes. */
export function ways(all, file, some = 1) {
  if (!which) return all;
  const name = basename(file);
  const nth = turns.get(name) ?? 0;
  turns.set(name, nth + 1);
  const apart = all.length / some; // they lie evenly apart
  const first = [...name].reduce((sum, letter) => sum + letter.codePointAt(0), nth) % Math.ceil(apart);
  const taken = Array.from({ length: some }, (_, i) => (first + Math.floor(i * apart)) % all.length);
  return all.filter((_, i) => taken.includes(i) === (which === 'some'));
}
