import { beforeEach, expect, it } from 'vitest';

import { clock, clockSeconds, day, memory, moment, size } from './format';
import { language } from './index.svelte';

beforeEach(() => {
  language.current = 'ko';
});

it.each([
  ['2026-01-02T00:05:09', '오전 12:05', '오전 12:05:09', '12:05 AM', '12:05:09 AM'],
  ['2026-01-02T08:00:00', '오전 8:00', '오전 8:00:00', '8:00 AM', '8:00:00 AM'],
  ['2026-01-02T14:32:07', '오후 2:32', '오후 2:32:07', '2:32 PM', '2:32:07 PM'],
])('says %s as one says a time', (at, ko, koSeconds, en, enSeconds) => {
  const said = () => [clock(at), clockSeconds(at)].map((text) => text.replaceAll('\u00a0', ' '));
  expect(said()).toEqual([ko, koSeconds]);
  language.current = 'en';
  expect(said()).toEqual([en, enSeconds]);
  expect(day(at)).toBe('Fri, Jan 2');
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
