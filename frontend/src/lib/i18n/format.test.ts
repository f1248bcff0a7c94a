import { beforeEach, expect, it } from 'vitest';

import { memory, moment, size } from './format';
import { language } from './index.svelte';

beforeEach(() => {
  language.current = 'ko';
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [999_700, '1 MB'],
  [42_000_000, '42 MB'],
  [2_600_000_000, '2.6 GB'],
  [120_000_000_000, '120 GB'],
])('counts %d bytes as %s', (bytes, text) => {
  expect(size(bytes)).toBe(text);
});

it.each([
  [16 * 2 ** 30, '16 GB'],
  [3.42 * 2 ** 30, '3.4 GB'],
  [0, '0 GB'],
])('counts %d bytes of memory as %s', (bytes, text) => {
  expect(memory(bytes)).toBe(text);
});

it.each([
  [12, '12ms'],
  [400, '0.4초'],
  [9940, '9.9초'],
  [12_300, '12초'],
  [61_000, '1분 1초'],
])('says %d ms as %s', (ms, text) => {
  expect(moment(ms)).toBe(text);
});
