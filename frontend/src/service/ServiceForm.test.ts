import { render } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { ServiceView } from '$lib/api/types';

import { GUARD_MS } from '../ask/guard.svelte';
import ServiceForm from './ServiceForm.svelte';

const asks = (mark: string, text: string): ServiceView =>
  ({
    chat: 'main',
    service: 'transfer',
    title: 'Transfer',
    stage: 'READY',
    mark,
    slots: [{ name: 'amount', title: 'Amount', text, required: true, missing: false }],
    batch: { index: 1, total: 2, executed: 0, cancelled: 0, failed: 0 },
    buttons: [{ id: `service:confirm:${mark}`, label: 'Confirm' }],
  }) as unknown as ServiceView;

/** Whether the slip is in sight, as the engine would say. */
let sight: (visible: boolean) => void;

describe('what a typed yes confirms', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
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

  it('is what has been in sight long enough to be read', async () => {
    const read: Record<string, string> = {};
    const onread = (chat: string, mark: string) => void (read[chat] = mark);
    const onpress = () => Promise.resolve();
    const { rerender, unmount } = render(ServiceForm, { view: asks('one', '1'), onpress, onread });
    await tick();
    expect(read['main']).toBe('');
    await vi.advanceTimersByTimeAsync(GUARD_MS);
    expect(read['main']).toBe('one');

    await rerender({ view: asks('two', '2') });
    await tick();
    expect(read['main']).toBe('');
    await vi.advanceTimersByTimeAsync(GUARD_MS);
    expect(read['main']).toBe('two');

    sight(false);
    await tick();
    expect(read['main']).toBe('');
    sight(true);
    await tick();
    expect(read['main']).toBe('two');

    unmount();
    expect(read['main']).toBe('');
  });
});
