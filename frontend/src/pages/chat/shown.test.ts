import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { GUARD_MS } from '../../ask/guard.svelte';
import { shown } from './shown';

let sight: (isIntersecting: boolean) => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (list: { isIntersecting: boolean }[]) => void) {
        sight = (isIntersecting) => seen([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('counts as read after it was in sight for a while, until it is out of sight or gone', () => {
  const told: boolean[] = [];
  const gone = shown((read) => told.push(read))(document.createElement('div'));
  sight(true);
  vi.advanceTimersByTime(GUARD_MS - 1);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([true]);
  sight(false);
  expect(told).toEqual([true, false]);
  sight(true);
  gone();
  vi.advanceTimersByTime(GUARD_MS);
  expect(told).toEqual([true, false, false]);
});
