import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Had } from './resources.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('asks a server that has others whenever it is asked every few seconds at most, and only while they are wanted', async () => {
  let asked = 0;
  let wanted = true;
  const had = new Had(() => {
    asked++;
    had.changed(() => wanted);
    return Promise.resolve([asked]);
  });
  await had.want();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toBeGreaterThan(3);
  expect(asked).toBeLessThan(15);
  wanted = false;
  const before = asked;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toBe(before);
});

it('asks at once where it was not asked lately, and anew whenever somebody wants it', async () => {
  const ask = vi.fn(() => Promise.resolve([1]));
  const had = new Had(ask);
  had.changed(() => true);
  had.changed(() => true);
  await vi.advanceTimersByTimeAsync(0);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(had.list).toEqual([1]);
  await had.want();
  expect(ask).toHaveBeenCalledTimes(2);
});
