import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { Toasts } from './toasts.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('go by themselves, and stay as long as somebody looks at them', () => {
  const toasts = new Toasts();
  toasts.show({ kind: 'done', text: 'gone' });
  vi.advanceTimersByTime(6_000);
  expect(toasts.list).toEqual([]);

  let looks = true;
  toasts.lookedAt = () => looks;
  const id = toasts.show({ kind: 'done', text: 'deleted' });
  vi.advanceTimersByTime(60_000);
  expect(toasts.list.map((t) => t.id)).toEqual([id]);
  looks = false;
  vi.advanceTimersByTime(2_000);
  expect(toasts.list).toEqual([]);

  looks = true;
  toasts.dismiss(toasts.show({ kind: 'info', text: 'put away' }));
  vi.advanceTimersByTime(6_000);
  expect(vi.getTimerCount()).toBe(0);
});
