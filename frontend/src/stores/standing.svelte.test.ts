import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { Envelope } from '$lib/events';

import { standingOrder } from '../test/shapes';
import { Standing } from './standing.svelte';

const event = (kind: string, data: object) => ({ seq: 1, time: '', kind, data }) as Envelope;
const changed = event('standing.changed', { id: 'a' });
const moved = event('job.state', { id: 'e', jobId: 'j', from: 'running', to: 'succeeded' });

describe('the standing orders', () => {
  beforeEach(() => vi.restoreAllMocks());

  it('are read only while somebody looks, and anew when one changed', () => {
    const read = vi.spyOn(api, 'standingOrders').mockResolvedValue([]);
    const standing = new Standing();
    standing.apply(changed);
    expect(read).not.toHaveBeenCalled();
    const stop = standing.watch();
    standing.apply(changed);
    expect(read).toHaveBeenCalledTimes(2);
    stop();
    standing.apply(changed);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('follow their runs while there are any, and the language of the window', async () => {
    const read = vi.spyOn(api, 'standingOrders').mockResolvedValue([]);
    const standing = new Standing();
    await standing.load();
    standing.apply(moved);
    standing.apply(event('config.changed', { changed: { theme: 'dark' } }));
    expect(read).toHaveBeenCalledTimes(1);
    standing.apply(event('config.changed', { changed: { lang: 'en' } }));
    expect(read).toHaveBeenCalledTimes(2);

    read.mockResolvedValue([standingOrder('a')]);
    await standing.load();
    standing.apply(moved);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('are changed by words, or in what becomes of missed moments, each by itself', async () => {
    const change = vi.spyOn(api, 'changeStanding').mockResolvedValue(standingOrder('a'));
    const standing = new Standing();
    await standing.changeTime('a', 'weekdays at 7');
    await standing.changeMissed('a', 'tell');
    expect(change.mock.calls).toEqual([
      ['a', 'weekdays at 7', ''],
      ['a', '', 'tell'],
    ]);
  });
});
