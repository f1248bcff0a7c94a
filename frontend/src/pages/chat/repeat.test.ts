import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { ChatMessage, Rack, TodoView } from '$lib/api/types';
import type { Envelope } from '$lib/events';
import { Chat } from '$stores/chat.svelte';
import { Job } from '$stores/jobs.svelte';
import { Message } from '$stores/message.svelte';
import { shop } from '$stores/shop.svelte';
import { jobView, snapshot } from '../../test/shapes';

import { canRepeat, jobsOf, repeatable, takenBack, undecided } from './repeat';

const rack = (tool: string, effect: Rack['effect']): Rack => ({
  tool,
  title: { ko: tool, en: tool },
  capacity: 1,
  confirm: 'never',
  effect,
  holders: [],
  waiting: [],
});

const racks = [
  rack('search', 'read'),
  rack('timer', 'idempotent'),
  rack('note_add', 'idempotent'),
  rack('shell', 'once'),
];

const todo = (tool: string, state: TodoView['state']): TodoView => ({
  id: tool,
  title: tool,
  tool,
  state,
  node: '',
});

const job = (more: Partial<Parameters<Job['fill']>[0]>) => new Job('j').fill(jobView('j', 1, more));

const message = (id: string, role: Message['role'], turn = '', jobId = '') =>
  Message.from({ id, role, text: id, turn, jobId, time: '2026-01-02T03:04:05Z' } as ChatMessage);

describe('what may be asked for once more', () => {
  beforeEach(() => shop.inventory.load(snapshot({ inventory: racks })));

  it.each([
    ['what only read', 'succeeded', [todo('search', 'done')], false, true],
    ['what changed something for good', 'succeeded', [todo('shell', 'done')], false, false],
    [
      'what changed one thing that can be taken back',
      'succeeded',
      [todo('note_add', 'done')],
      true,
      true,
    ],
    [
      'what changed two, of which one stays',
      'succeeded',
      [todo('note_add', 'done'), todo('shell', 'done')],
      true,
      false,
    ],
    ['what never began', 'canceled', [todo('shell', 'pending')], false, true],
    [
      'what broke off where nobody knows how far it came',
      'failed',
      [todo('shell', 'failed')],
      false,
      false,
    ],
    ['what goes on and is stopped', 'waiting', [todo('timer', 'waiting')], false, true],
    [
      'what goes on and did something',
      'running',
      [todo('note_add', 'done'), todo('timer', 'running')],
      false,
      false,
    ],
    ['what nobody knows', 'succeeded', [todo('gone', 'done')], false, false],
  ] as const)('%s', (_, state, todos, undoable, may) => {
    expect(repeatable(job({ state, todos: [...todos], undoable }))).toBe(may);
  });

  it('asks what becomes of what goes on or can be taken back, and of nothing else', () => {
    const list = [
      job({ state: 'running' }),
      job({ state: 'succeeded' }),
      job({ state: 'succeeded', undoable: true }),
    ];
    expect(undecided(list)).toEqual([list[0], list[2]]);
  });
});

describe('an answer', () => {
  let chat: Chat;
  beforeEach(() => {
    shop.inventory.load(snapshot({ inventory: racks }));
    shop.jobs.load(
      snapshot({
        jobs: [
          jobView('read', 1, { state: 'succeeded', turn: 'q', todos: [todo('search', 'done')] }),
          jobView('noted', 3, {
            state: 'succeeded',
            turn: 'elsewhere',
            chat: 'other',
            undoable: true,
            todos: [todo('note_add', 'done')],
          }),
          jobView('sent', 2, {
            state: 'succeeded',
            turn: 'elsewhere',
            chat: 'other',
            todos: [todo('shell', 'done')],
          }),
        ],
      }),
    );
    chat = new Chat('main');
  });

  it('is given again when it is the last, a result, too, but not the one of an earlier request', () => {
    const [result, reply] = [message('r', 'job', 'q', 'read'), message('a', 'shop', 'q')];
    chat.messages = [message('q', 'customer'), reply, result];
    expect(jobsOf(chat, chat.messages[0]!)?.map((j) => j.id)).toEqual(['read']);
    expect(canRepeat(chat, result)).toBe(true);
    chat.messages = [message('q', 'customer'), message('p', 'customer'), result];
    expect(canRepeat(chat, result)).toBe(false);
    chat.messages = [message('q', 'customer'), message('s', 'job', '', 'read')];
    expect(canRepeat(chat, chat.messages[1]!)).toBe(false);
  });

  it('of a fork is not, where the work of the other chat would be done once more', () => {
    for (const of of ['sent', 'noted', 'unknown']) {
      chat.messages = [message('q2', 'customer'), message('r2', 'job', 'q2', of)];
      expect(canRepeat(chat, chat.messages[1]!)).toBe(false);
    }
  });
});

describe('what is taken back', () => {
  let hear: (e: Envelope) => void;
  const tell = (kind: string, data: unknown, jobId = '') => {
    const e = { seq: 1, time: '', kind, chat: 'main', job: jobId, data } as Envelope;
    shop.jobs.apply(e);
    hear(e);
  };
  const done = (turn: string) => tell('turn.done', { message: '', messageId: turn });

  beforeEach(() => {
    shop.jobs.load(snapshot());
    vi.spyOn(shop, 'watch').mockImplementation((watcher) => {
      hear = watcher;
      return () => true;
    });
    vi.spyOn(api, 'undoJob').mockResolvedValue({ id: 'u' } as ChatMessage);
  });

  it.each(['succeeded', 'canceled'] as const)('is waited for until its job has %s', async (to) => {
    const waits = takenBack('j');
    tell('job.created', { id: 'b', number: 2, title: 'back', chat: 'main', turn: 'u' }, 'b');
    done('u');
    const still = Symbol('still');
    expect(await Promise.race([waits, Promise.resolve(still)])).toBe(still);
    tell('job.state', { id: 'b', from: 'running', to }, 'b');
    expect(await waits).toBe(to === 'succeeded');
  });

  it('is not, where nothing comes of it, or where it is refused', async () => {
    const waits = takenBack('j');
    done('u');
    expect(await waits).toBe(false);
    vi.spyOn(api, 'undoJob').mockRejectedValue(new Error('gone'));
    await expect(takenBack('j')).rejects.toThrow('gone');
  });
});
