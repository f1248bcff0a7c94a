import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Snapshot } from '$lib/api/types';
import type { Envelope, Kind, Listener, Payloads } from '$lib/events';
import { jobView, snapshot } from '../test/shapes';

import { Shop } from './shop.svelte';

function envelope<K extends Kind>(
  seq: number,
  kind: K,
  data: Payloads[K],
  chat = 'main',
): Envelope {
  return { seq, time: '2026-01-02T03:04:05Z', kind, chat, data } as Envelope;
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
  return { shop, send, answer, fetch };
}

describe('the shop', () => {
  it('listens first and applies what came during the snapshot, once', async () => {
    const { shop, send, answer } = opened(snapshot({ seq: 5 }));
    send(token(5, 'old'), token(6, 'ne'), token(7, 'w'));
    await answer();
    expect(shop.chats.current.messages.map((m) => m.text)).toEqual(['new']);
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
    const message = { id: 'm1', role: 'shop', text: 'abc' };
    await answer(
      snapshot({ seq: 8, chats: [{ id: 'main', title: '', updated: '', messages: [message] }] }),
    );
    expect(fetch).toHaveBeenCalledTimes(2);
    send(envelope(10, 'chat.message', { ...message, text: 'abcd' }));
    await vi.waitFor(() => expect(shop.chats.current.messages[0]?.text).toBe('abcd'));
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
    const move = (seq: number, from: string, to: string) =>
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
  const ask = (id: string, time: string) => ({
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
});

describe('the toolbox', () => {
  it('shows a group as held by whoever holds one of its tools', async () => {
    const rack = (tool: string) => ({
      tool,
      title: { ko: tool, en: tool },
      group: 'MonitorBox',
      capacity: 1,
      confirm: 'never',
      effect: 'read',
      holders: [],
      waiting: [],
    });
    const groups = [{ group: 'MonitorBox', capacity: 1, tools: ['nav', 'movie'], holders: [] }];
    const { shop, send, answer } = opened(
      snapshot({ inventory: [rack('nav'), rack('movie')], groups }),
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
    const set = (state: string, blink: string) =>
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
