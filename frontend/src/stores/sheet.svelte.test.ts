import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { Envelope } from '$lib/events';

import { askOpened, sheetLine, sheetView } from '../test/shapes';
import { Ask } from './asks.svelte';
import { GATHER_MS, Sheet } from './sheet.svelte';

const event = (kind: string, data: object = {}) => ({ seq: 1, time: '', kind, data }) as Envelope;

describe('the sheet', () => {
  beforeEach(() => {
    vi.restoreAllMocks();
    vi.useFakeTimers();
    vi.spyOn(api, 'present').mockResolvedValue(undefined);
  });

  it('is read when somebody comes back, and not when they go', async () => {
    const read = vi.spyOn(api, 'sheet').mockResolvedValue(sheetView());
    const sheet = new Sheet();
    await sheet.present(false);
    expect(read).not.toHaveBeenCalled();
    await sheet.present(true);
    expect(read).toHaveBeenCalledTimes(1);
    vi.spyOn(api, 'present').mockRejectedValue(new Error('no shop'));
    await sheet.present(true);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('follows what moves only while it may change, many events at once', async () => {
    const read = vi.spyOn(api, 'sheet').mockResolvedValue(sheetView());
    const sheet = new Sheet();
    await sheet.present(true);
    const hear = async (...kinds: string[]) => {
      read.mockClear();
      for (const kind of kinds) sheet.apply(event(kind));
      await vi.advanceTimersByTimeAsync(GATHER_MS);
      return read.mock.calls.length;
    };
    expect(await hear('job.state', 'ask.opened')).toBe(0);
    expect(await hear('standing.changed', 'standing.changed')).toBe(1);
    read.mockResolvedValue(sheetView({ going: [sheetLine('a')] }));
    await sheet.load();
    expect(await hear('job.state', 'turn.done', 'ask.opened')).toBe(1);
    read.mockResolvedValue(sheetView());
    await sheet.load();
    sheet.open = true;
    expect(await hear('ask.closed')).toBe(1);
  });

  it('approves each question by its own digest, and says why one was not', async () => {
    const approve = vi
      .spyOn(api, 'approve')
      .mockResolvedValue([
        { ask: 'a' },
        { ask: 'b', error: { code: 'stale_answer', message: 'answered already' } },
      ]);
    const asks = ['a', 'b'].map((id) => new Ask(askOpened(id, { digest: `d-${id}` }), ''));
    const failed = await new Sheet().approve(asks);
    expect(approve).toHaveBeenCalledWith([
      { ask: 'a', choice: 'approve', digest: 'd-a' },
      { ask: 'b', choice: 'approve', digest: 'd-b' },
    ]);
    expect([...failed]).toEqual([['b', 'answered already']]);
    expect(asks.some((a) => a.answering)).toBe(false);
  });
});
