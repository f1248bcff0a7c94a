import { expect, it } from 'vitest';

import { wonInWords } from './won';

it.each([
  [0, '0원'],
  [1_000, '1,000원'],
  [10_000, '1만원'],
  [15_000, '1만5천원'],
  [10_500, '1만500원'],
  [123_456, '12만3,456원'],
  [1_000_000, '100만원'],
  [20_000_000, '2천만원'],
  [25_000_000, '2,500만원'],
  [120_000_000, '1억2천만원'],
])('says %d as %s', (amount, words) => {
  expect(wonInWords(amount)).toBe(words);
});
