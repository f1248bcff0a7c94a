import { beforeEach, expect, it } from 'vitest';

import type { Media } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';

import { distance, paceText, roundDistance, secondsLeft, span } from './readout';

const song: Media = { action: 'progress', device: 'deck1', kind: 'song', title: '' };

beforeEach(() => {
  language.current = 'ko';
});

it('writes distances as a sign does', () => {
  expect([0, 0.004, 0.854, 1, 3.44, 9.96, 197.4, 11052].map(distance)).toEqual([
    '0 m',
    '10 m',
    '850 m',
    '1.0 km',
    '3.4 km',
    '10 km',
    '197 km',
    '11,052 km',
  ]);
  expect([0.5, 2, 5000].map(roundDistance)).toEqual(['500 m', '2 km', '5,000 km']);
});

it('counts what is left at the pace there is', () => {
  expect(secondsLeft({ ...song, seconds: 100, position: 40 })).toBe(60);
  expect(secondsLeft({ ...song, seconds: 100, position: 40, rate: 60 })).toBe(1);
  expect(secondsLeft(song)).toBeUndefined();
});

it('says spans of time in the language of the window', () => {
  expect([12.2, 90, 3600, 8000].map(span)).toEqual(['13초', '2분', '1시간', '2시간 13분']);
  language.current = 'en';
  expect([12.2, 8000].map(span)).toEqual(['13 s', '2 h 13 min']);
});

it('writes a pace shortly', () => {
  expect([60, 1.5, 2, 12.4].map(paceText)).toEqual(['60', '1.5', '2', '12']);
});
