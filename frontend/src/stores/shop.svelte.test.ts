import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type {
  AskOpened,
  Blink,
  JobState,
  LogLine,
  Rack,
  Snapshot,
  WorkerStateName,
} from '$lib/api/types';
import type { Envelope, Kind, Listener, Of, Payloads } from '$lib/events';
import { jobView, snapshot } from '../test/shapes';

import { Shop } from './shop.svelte';

function envelope<K extends Kind>(seq: number, kind: K, data: Payloads[K], chat = 'main'): Of<K> {
  return { seq, time: '2026-01-02T03:04:05Z', kind, chat, data } as Of<K>;
}

const token = (seq: number, delta: string) => envelope(seq, 'chat.token', { id: 'm1', delta });

/** A shop whose snapshots are handed out one by one. */
function opened(first: Snapshot = snapshot()) {
  const waiting: ((s: Snapshot) => void)[] = [];
  let listener: Listener | undefined;
  const fetch = vi.fn(() => new Promise<Snapshot>((resolve) => waiting.push(resolve)));
  const shop = new Shop({
    snapshot: fetch,
    logs: () => Promise.resolve([]),
    listen: (l) => {
      listener = l;
      return () => undefined;
    },
  });
  vi.spyOn(shop.settings, 'load').mockResolvedValue();
  shop.start();
  const send = (...batch: Envelope[]) => listener?.envelopes(batch);
  const answer = async (s: Snapshot = first) => {
    waiting.shift()?.(s);
    await vi.waitFor(() => expect(shop.ready).toBe(true));
    await Promise.resolve();
  };
  const gap = () => listener?.gap();
  return { shop, send, answer, fetch, gap };
}

describe('the shop', () => {
  it('listens first and applies what came during the snapshot, once', async () => {
    const { shop, send, answer } = opened(snapshot({ seq: 5 }));
    send(token(5, 'old'), token(6, 'ne'), token(7, 'w'));
    await answer();
    expect(shop.chats.current.messages.map((m) => m.text)).toEqual(['new']);
  });

  it('tells what was taken up, and tells it anew when some of it cannot be read', async () => {
    const up = {
      jobs: 2,
      running: 0,
      waiting: 2,
      questions: 1,
      inDoubt: 0,
      turns: 0,
      transfers: 0,
    };
    const { shop, send, answer } = opened(snapshot({ seq: 5, recovered: up }));
    await answer();
    expect(shop.recovered).toEqual(up);
    send(envelope(6, 'shop.recovered', { ...up, jobs: 1, unreadable: 1 }));
    expect(shop.recovered).toMatchObject({ jobs: 1, unreadable: 1 });
  });

  it('leaves out envelopes it has had', async () => {
    const { shop, send, answer } = opened(snapshot({ seq: 5 }));
    await answer();
    send(token(6, 'a'));
    send(token(6, 'a'), token(7, 'b'));
    expect(shop.chats.current.messages[0]?.text).toBe('ab');
  });

  it('takes a new snapshot when one is missing, and goes on behind it', async () => {
    const { shop, send, answer, fetch } = opened(snapshot({ seq: 5 }));
    await answer();
    send(token(6, 'a'), token(8, 'c'));
    send(token(9, 'd'));
    expect(fetch).toHaveBeenCalledTimes(2);
    const message = { id: 'm1', role: 'shop', text: 'abc' } as const;
    await answer(
      snapshot({ seq: 8, chats: [{ id: 'main', title: '', updated: '', messages: [message] }] }),
    );
    expect(fetch).toHaveBeenCalledTimes(2);
    send(envelope(10, 'chat.message', { ...message, text: 'abcd' }));
    await vi.waitFor(() => expect(shop.chats.current.messages[0]?.text).toBe('abcd'));
  });

  it('takes a new snapshot as soon as it is told of a gap, without waiting for what follows', async () => {
    const { shop, answer, fetch, gap } = opened(snapshot({ seq: 5 }));
    await answer();
    gap();
    expect(fetch).toHaveBeenCalledTimes(2);
    await answer(snapshot({ seq: 90, version: 'after' }));
    expect(shop.version).toBe('after');
  });

  it('takes a new snapshot when nothing follows an act, and not when something does', async () => {
    const { shop, send, answer, fetch } = opened(snapshot({ seq: 5 }));
    await answer();
    vi.useFakeTimers();
    shop.expectNews();
    send(token(6, 'a'));
    vi.runAllTimers();
    expect(fetch).toHaveBeenCalledTimes(1);
    shop.expectNews();
    vi.runAllTimers();
    expect(fetch).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it('has what somebody looks at read anew after a gap, which may have hidden that it changed', async () => {
    const read = vi.spyOn(api, 'notes').mockResolvedValue({ notes: [], trash: [], trashDays: 30 });
    const { shop, answer, gap } = opened();
    await answer();
    gap();
    await answer();
    expect(read).not.toHaveBeenCalled();
    const stop = shop.notes.watch();
    gap();
    await answer();
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
    stop();
    gap();
    await answer();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('tells who watches of each snapshot, once all of it is there', async () => {
    const { shop, answer, gap } = opened();
    const seen: number[] = [];
    const stop = shop.watch(
      () => undefined,
      () => seen.push(shop.jobs.all.length),
    );
    await answer();
    gap();
    await answer(snapshot({ jobs: [jobView('j', 1)] }));
    await vi.waitFor(() => expect(seen).toEqual([0, 1]));
    stop();
    gap();
    await answer();
    await vi.waitFor(() => expect(shop.jobs.all).toEqual([]));
    expect(seen).toEqual([0, 1]);
  });

  it('tries again when the snapshot fails, and says so meanwhile', async () => {
    vi.useFakeTimers();
    const fetch = vi
      .fn<() => Promise<Snapshot>>()
      .mockRejectedValueOnce({ code: 'storage_failed', message: 'Check the disk.' })
      .mockResolvedValue(snapshot());
    const shop = new Shop({
      snapshot: fetch,
      logs: () => Promise.resolve([]),
      listen: () => () => undefined,
    });
    const loading = shop.reload();
    await vi.advanceTimersByTimeAsync(0);
    expect(shop.trouble?.message).toBe('Check the disk.');
    await vi.runAllTimersAsync();
    await loading;
    expect(shop.trouble).toBeUndefined();
    vi.useRealTimers();
  });

  it('lists a line of the log once that was heard while the log was fetched', async () => {
    const line = (seq: number): LogLine => ({
      seq,
      time: 'the same',
      level: 'info',
      message: String(seq),
    });
    let give = (_lines: LogLine[]): void => undefined;
    let listener: Listener | undefined;
    const shop = new Shop({
      snapshot: () => new Promise(() => undefined),
      logs: () => new Promise((resolve) => (give = resolve)),
      listen: (l) => {
        listener = l;
        return () => undefined;
      },
    });
    vi.spyOn(shop.settings, 'load').mockResolvedValue();
    shop.start();
    listener?.logs([line(2), line(3)]);
    give([line(1), line(2)]);
    await vi.waitFor(() => expect(shop.logs.size).toBe(3));
    expect([0, 1, 2].map((i) => shop.logs.at(i)?.seq)).toEqual([1, 2, 3]);
    // The stream may begin to speak after the answer, with lines that were in it.
    listener?.logs([line(2), line(3), line(4)]);
    expect([0, 1, 2, 3].map((i) => shop.logs.at(i)?.seq)).toEqual([1, 2, 3, 4]);
    expect(shop.logs.size).toBe(4);
  });

  it('draws once for a batch, and only what changed', async () => {
    const jobs = [jobView('a', 1), jobView('b', 2)];
    const { shop, send, answer } = opened(snapshot({ seq: 0, jobs }));
    await answer();
    const draws = { a: 0, b: 0, list: 0 };
    const stop = $effect.root(() => {
      $effect(() => void [shop.jobs.get('a')?.state, draws.a++]);
      $effect(() => void [shop.jobs.get('b')?.state, draws.b++]);
      $effect(() => void [shop.jobs.all.length, draws.list++]);
    });
    flushSync();
    const move = (seq: number, from: JobState, to: JobState) =>
      envelope(seq, 'job.state', { id: 'a', jobId: 'a', from, to });
    send(
      move(1, 'queued', 'running'),
      move(2, 'running', 'waiting'),
      move(3, 'waiting', 'running'),
    );
    flushSync();
    expect(draws).toEqual({ a: 2, b: 1, list: 1 });
    stop();
  });
});

describe('jobs', () => {
  it('follow their states and todos', async () => {
    const { shop, send, answer } = opened();
    await answer();
    const todos = [{ id: 't1', title: 'Play', tool: 'song' }];
    send(
      envelope(1, 'job.created', {
        id: 'j',
        jobId: 'j',
        number: 7,
        title: 'Song',
        chat: 'main',
        todos,
      }),
      envelope(2, 'job.state', { id: 'j', jobId: 'j', from: 'queued', to: 'running' }),
      envelope(3, 'todo.state', {
        jobId: 'j',
        todoId: 't1',
        index: 0,
        state: 'done',
        node: 'release',
      }),
      envelope(4, 'job.state', { id: 'j', jobId: 'j', from: 'running', to: 'succeeded' }),
    );
    const job = shop.jobs.get('j');
    expect(job).toMatchObject({ number: 7, state: 'succeeded', done: 1, ended: true });
    expect(job?.todos[0]?.title).toBe('Play');
    expect(shop.jobs.of('main')).toHaveLength(1);
  });
});

describe('questions', () => {
  const ask = (id: string, time: string): AskOpened => ({
    id,
    kind: 'lock',
    question: `${id}?`,
    choices: ['wait'],
    time,
  });

  it('are listed oldest first, and stay as a record when answered', async () => {
    const { shop, send, answer } = opened();
    await answer();
    send(
      envelope(1, 'ask.opened', ask('late', '2026-01-02T00:00:02Z')),
      envelope(2, 'ask.opened', ask('early', '2026-01-02T00:00:01Z')),
    );
    expect(shop.asks.open.map((a) => a.id)).toEqual(['early', 'late']);
    send(envelope(3, 'ask.closed', { id: 'early', choice: 'wait', by: 'person' }));
    expect(shop.asks.open.map((a) => a.id)).toEqual(['late']);
    expect(shop.asks.closed[0]).toMatchObject({ id: 'early', choice: 'wait' });
  });

  it('are kept as records by the newest, however many are answered', async () => {
    const { shop, send, answer } = opened();
    await answer();
    send(envelope(1, 'ask.opened', ask('open', '2026-01-02T00:00:00Z')));
    for (let i = 1; i <= 500; i++) {
      send(
        envelope(2 * i, 'ask.opened', ask(`a${i}`, '2026-01-02T00:00:01Z')),
        envelope(2 * i + 1, 'ask.closed', { id: `a${i}`, choice: 'wait', by: 'person' }),
      );
    }
    expect(shop.asks.closed.length).toBe(200);
    expect(shop.asks.closed.at(-1)?.id).toBe('a500');
    expect(shop.asks.open.map((a) => a.id)).toEqual(['open']);
  });
});

const wall = (tool: string): Rack => ({
  tool,
  title: { ko: tool, en: tool },
  group: 'MonitorBox',
  capacity: 1,
  confirm: 'never',
  effect: 'read',
  holders: [],
  waiting: [],
});

describe('the toolbox', () => {
  it('hangs as the shop says when tools come and capacities change, without a snapshot', async () => {
    const { shop, send, answer, fetch } = opened();
    await answer();
    const rack = wall('nav');
    const group = { group: 'MonitorBox', capacity: 3, tools: ['nav'], holders: [] };
    send(envelope(1, 'inventory.changed', { tools: [rack], groups: [group] }));
    expect(shop.inventory.rack('nav')?.group).toBe('MonitorBox');
    expect(shop.inventory.groups[0]?.capacity).toBe(3);
    send(envelope(2, 'tool.acquired', { tool: 'nav', jobId: 'j', leaseId: 'l' }));
    expect(shop.inventory.groups[0]?.holders.length).toBe(1);
    expect(shop.inventory.rack('nav')?.blockedBy).toEqual([]);
    send(envelope(3, 'inventory.changed', { tools: [], groups: [] }));
    expect(shop.inventory.racks).toEqual([]);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('shows a group as held by whoever holds one of its tools', async () => {
    const groups = [{ group: 'MonitorBox', capacity: 1, tools: ['nav', 'movie'], holders: [] }];
    const { shop, send, answer } = opened(
      snapshot({ inventory: [wall('nav'), wall('movie')], groups }),
    );
    await answer();
    const lease = { tool: 'nav', group: 'MonitorBox', leaseId: 'l1', jobId: 'a' };
    send(
      envelope(1, 'tool.acquired', lease),
      envelope(2, 'tool.queued', { tool: 'movie', jobId: 'b', place: 1 }),
      envelope(3, 'tool.queued', { tool: 'movie', jobId: 'c', place: 2 }),
    );
    expect(shop.inventory.rack('movie')?.blockedBy?.[0]?.jobId).toBe('a');
    send(
      envelope(4, 'job.state', { id: 'b', jobId: 'b', from: 'waiting', to: 'canceled' }),
      envelope(5, 'tool.released', lease),
    );
    expect(shop.inventory.rack('movie')).toMatchObject({
      blockedBy: [],
      waiting: [{ jobId: 'c', place: 1 }],
    });
  });
});

describe('what plays', () => {
  it('is not stopped by the late goodbye of what played before', async () => {
    const { shop, send, answer } = opened();
    await answer();
    const piece = (action: string, jobId: string) => ({
      action,
      device: 'deck1',
      kind: 'song',
      title: jobId,
      jobId,
    });
    send(
      envelope(1, 'media', { ...piece('open', 'a'), url: 'http://127.0.0.1/a' }),
      envelope(2, 'media', { ...piece('progress', 'a'), position: 3 }),
    );
    expect(shop.media.byDevice.get('deck1')).toMatchObject({
      url: 'http://127.0.0.1/a',
      position: 3,
    });
    send(envelope(3, 'media', piece('open', 'b')), envelope(4, 'media', piece('close', 'a')));
    expect(shop.media.byDevice.get('deck1')?.jobId).toBe('b');
    send(envelope(5, 'media', piece('close', 'b')));
    expect(shop.media.playing).toBe(false);
  });
});

describe('a worker', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('blinks green for a while and then settles; yellow goes on', () => {
    const shop = new Shop();
    const { workers } = shop;
    const set = (state: WorkerStateName, blink: Blink) =>
      workers.apply(envelope(1, 'worker.state', { worker: 1, state, jobId: 'j', blink }));
    set('succeeded', 'green');
    const worker = workers.all[0];
    expect(worker?.blinking).toBe(true);
    vi.advanceTimersByTime(4000);
    expect(worker).toMatchObject({ blinking: false, blink: 'green' });
    set('waiting', 'yellow');
    vi.advanceTimersByTime(60_000);
    expect(worker?.blinking).toBe(true);
    set('idle', 'none');
    expect(worker?.blinking).toBe(false);
  });

  it('does not blink again for what a snapshot only repeats', () => {
    const { workers } = new Shop();
    workers.load(snapshot({ workers: [{ worker: 1, state: 'failed', blink: 'red' }] }));
    expect(workers.all[0]?.blinking).toBe(false);
  });
});
