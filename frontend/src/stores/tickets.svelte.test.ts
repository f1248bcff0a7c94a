import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { ApiError } from '$lib/api/error';
import type { Ticket, TicketFilter } from '$lib/api/types';

import { ticket } from '../test/shapes';
import { Tickets } from './tickets.svelte';

/** A shop with so many jobs, of which every tenth failed. */
class Ledger {
  jobs: Ticket[];
  asked: TicketFilter[] = [];

  constructor(n: number) {
    this.jobs = Array.from({ length: n }, (_, i) =>
      ticket(i + 1, { state: i % 10 ? 'succeeded' : 'failed' }),
    );
  }

  list = (filter: TicketFilter, cursor: number, limit: number) => {
    this.asked.push(filter);
    const fits = this.jobs.filter((t) => !filter.state || t.state === filter.state);
    return Promise.resolve({
      total: fits.length,
      tickets: fits
        .filter((t) => (!cursor || t.number < cursor) && (filter.ids?.includes(t.id) ?? true))
        .sort((a, b) => b.number - a.number)
        .slice(0, limit),
    });
  };

  set(number: number, more: Partial<Ticket>) {
    this.jobs = [...this.jobs.filter((t) => t.number !== number), ticket(number, more)];
  }
}

describe('Tickets', () => {
  let ledger: Ledger;
  let tickets: Tickets;
  let stop: () => void;
  const numbers = () => tickets.rows.map((t) => t.number);
  const changed = (number: number) =>
    tickets.apply({
      seq: 0,
      time: '',
      kind: 'job.state',
      data: { id: `j${number}`, jobId: `j${number}`, from: 'queued', to: 'running' },
    });
  const settled = () => vi.advanceTimersByTimeAsync(1000);

  async function look(n: number, filter?: TicketFilter) {
    ledger = new Ledger(n);
    vi.spyOn(api, 'tickets').mockImplementation(ledger.list);
    tickets = new Tickets();
    stop = tickets.watch(filter);
    await settled();
  }

  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('fetches page after page, to the oldest, each job once', async () => {
    await look(250);
    expect([numbers().length, tickets.total, tickets.complete]).toEqual([100, 250, false]);
    await Promise.all([tickets.more(), tickets.more()]);
    await tickets.more();
    expect(numbers()).toEqual(Array.from({ length: 250 }, (_, i) => 250 - i));
    expect(tickets.complete).toBe(true);
    await tickets.more();
    expect(ledger.asked).toHaveLength(3);
  });

  it('puts a new job on top, changes one where it stands, and leaves those that are not fetched', async () => {
    await look(150);
    ledger.set(151, { title: 'new' });
    ledger.set(120, { title: 'changed' });
    ledger.set(3, { title: 'far below' });
    for (const n of [151, 120, 3, 120]) changed(n);
    await settled();
    expect(ledger.asked).toHaveLength(2);
    expect(ledger.asked[1]?.ids).toEqual(['j151', 'j120', 'j3']);
    expect(numbers()).toEqual(Array.from({ length: 101 }, (_, i) => 151 - i));
    expect([tickets.rows[0]?.title, tickets.rows[31]?.title]).toEqual(['new', 'changed']);
    expect(tickets.total).toBe(151);
    await tickets.more();
    expect(numbers()).toHaveLength(151);
    expect(tickets.rows.at(-3)?.title).toBe('far below');
  });

  it('takes off what fits the filter no more, and takes in what does now', async () => {
    await look(30, { state: 'failed' });
    expect(numbers()).toEqual([21, 11, 1]);
    ledger.set(11, { state: 'running' });
    ledger.set(5, { state: 'failed' });
    changed(11);
    changed(5);
    await settled();
    expect(numbers()).toEqual([21, 5, 1]);
    expect(tickets.total).toBe(3);
  });

  it('asks nothing while nothing changes, nor when nobody looks', async () => {
    await look(3);
    expect(vi.getTimerCount()).toBe(0);
    changed(1);
    stop();
    changed(2);
    tickets.renew();
    await settled();
    expect(ledger.asked).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reads the list anew when chats go or come, events were missed, or too much changed at once', async () => {
    await look(3);
    tickets.apply({ seq: 0, time: '', kind: 'chat.cut', data: { messages: [], jobs: [] } });
    tickets.renew();
    for (let n = 0; n < 300; n++) changed(n);
    await settled();
    expect(ledger.asked).toEqual([{}, {}, {}, {}]);
  });

  it('lets an answer for another filter go', async () => {
    await look(30);
    let late = () => {};
    vi.spyOn(api, 'tickets').mockImplementationOnce(
      (filter, cursor, limit) =>
        new Promise((done) => {
          late = () => void ledger.list(filter, cursor, limit).then(done);
        }),
    );
    ledger.set(31, { title: 'new' });
    changed(31);
    await settled();
    await tickets.load({ state: 'failed' });
    late();
    await settled();
    expect(numbers()).toEqual([21, 11, 1]);
    expect(tickets.total).toBe(3);
  });

  it('says what went wrong, and keeps what it has', async () => {
    await look(3);
    vi.spyOn(api, 'tickets').mockRejectedValueOnce(new ApiError('storage_failed', 'no'));
    changed(1);
    await settled();
    expect(tickets.error?.message).toBe('no');
    expect(numbers()).toEqual([3, 2, 1]);
    await tickets.load();
    expect(tickets.error).toBeUndefined();
  });
});
