import { expect, it } from 'vitest';

import { COMPACT, furniture, isClear } from './furniture';

const size = { width: 600, height: 240 };
const box = (x: number, y: number) => ({ x, y, width: 60, height: 18 });

it('keeps text off what lies over the map', () => {
  const zones = furniture(size);
  expect(isClear(box(300, 100), size, zones)).toBe(true);
  expect(isClear(box(10, 40), size, zones)).toBe(false);
  expect(isClear(box(500, 10), size, zones)).toBe(false);
  expect(isClear(box(200, 225), size, zones)).toBe(false);
  expect(isClear(box(560, 100), size, zones)).toBe(false);
});

it('leaves more of a low map free', () => {
  const low = { width: 440, height: COMPACT - 1 };
  expect(isClear(box(10, 60), low, furniture(low))).toBe(true);
});
