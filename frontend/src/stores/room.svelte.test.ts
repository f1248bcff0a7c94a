import { describe, expect, it } from 'vitest';

import type { ClosedAsk, JobDetail } from '$lib/api/types';

import { askOpened, jobView, snapshot } from '../test/shapes';
import { Room } from './room.svelte';
import { Shop, type Watcher } from './shop.svelte';

/** The panel of a job whose details have not come yet, and a way to hear and to be told of them. */
function entered() {
  const shop = new Shop();
  shop.asks.load(snapshot({ asks: [askOpened('a', { jobId: 'j' })] }));
  let hear: Watcher = () => undefined;
  shop.watch = (watcher) => {
    hear = watcher;
    return () => undefined;
  };
  const room = new Room(shop, 'j');
  let told: (detail: JobDetail) => void = () => undefined;
  room.enter(() => new Promise((resolve) => (told = resolve)));
  const close = () =>
    hear({
      seq: 1,
      time: '2026-01-02T03:04:05Z',
      kind: 'ask.closed',
      data: { id: 'a', jobId: 'j', choice: 'cancel', by: 'person' },
    });
  const tell = async (...closed: ClosedAsk[]) => {
    told({ job: jobView('j', 1), asks: [], closed, log: [], messages: [] });
    await Promise.resolve();
  };
  return { room, close, tell };
}

const record: ClosedAsk = { ask: askOpened('a', { jobId: 'j' }), choice: 'cancel', by: 'person' };
const ids = (room: Room) => room.closed.map((c) => c.ask.id);

describe('the answered questions of a job', () => {
  it('keep one that was answered while they were on their way', async () => {
    const { room, close, tell } = entered();
    close();
    await tell();
    expect(ids(room)).toEqual(['a']);
  });

  it('have one once that is heard of after it was read', async () => {
    const { room, close, tell } = entered();
    await tell(record);
    close();
    expect(ids(room)).toEqual(['a']);
  });

  it('have one once that was heard of before it was read', async () => {
    const { room, close, tell } = entered();
    close();
    await tell(record);
    expect(ids(room)).toEqual(['a']);
  });
});
