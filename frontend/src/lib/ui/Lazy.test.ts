import { render, screen } from '@testing-library/svelte';
import { flushSync, type Component } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { toasts } from '$stores/toasts.svelte';

import EmptyState from './EmptyState.svelte';
import Lazy from './Lazy.svelte';

const It = EmptyState as unknown as Component<Record<string, unknown>>;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('fetches what is not wanted yet once the window is calm, and then has it at once', async () => {
  const load = vi.fn(() => Promise.resolve({ default: It }));
  const { rerender } = render(Lazy, { props: { load, when: false, props: { title: 'it' } } });
  await vi.advanceTimersByTimeAsync(1000);
  expect(load, 'the first pictures come first').not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).toHaveBeenCalledOnce();
  expect(screen.queryByText('it'), 'nothing is drawn by that').toBeNull();
  void rerender({ when: true });
  flushSync();
  expect(screen.getByText('it'), 'no picture without it').toBeTruthy();
  expect(load).toHaveBeenCalledOnce();
});

it('fetches anew what could not be fetched ahead, and tells only of that', async () => {
  const load = vi.fn<() => Promise<{ default: typeof It }>>();
  load.mockRejectedValueOnce(new Error('gone')).mockRejectedValueOnce(new Error('gone still'));
  const told = vi.spyOn(toasts, 'error');
  const { rerender } = render(Lazy, { props: { load, when: false, props: { title: 'it' } } });
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).toHaveBeenCalledOnce();
  expect(told).not.toHaveBeenCalled();
  await rerender({ when: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toHaveBeenCalledOnce();
});

it('leaves what was closed before then where it is', async () => {
  const load = vi.fn(() => Promise.resolve({ default: It }));
  const { unmount } = render(Lazy, { props: { load, when: false, props: { title: 'it' } } });
  unmount();
  await vi.advanceTimersByTimeAsync(5000);
  expect(load).not.toHaveBeenCalled();
});
