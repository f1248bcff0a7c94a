import { expect, it } from 'vitest';

import { cut } from './library.svelte';

const passage = { start: 10, text: '제1조 목적 abc' };

it.each([
  [10, 17, { before: '', inside: '제1조', after: ' 목적 abc' }],
  [18, 24, { before: '제1조 ', inside: '목적', after: ' abc' }],
  [0, 10, { before: '', inside: '', after: '제1조 목적 abc' }],
  [0, 1000, { before: '', inside: '제1조 목적 abc', after: '' }],
  [900, 1000, { before: '제1조 목적 abc', inside: '', after: '' }],
])('finds the bytes %d to %d', (start, end, want) => {
  expect(cut(passage, start, end)).toEqual(want);
});
