import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { ChatMessage, JobState, JobView, Rack, TodoView } from '$lib/api/types';
import type { Envelope } from '$lib/events';
import { Chat } from '$stores/chat.svelte';
import { Job } from '$stores/jobs.svelte';
import { Message } from '$stores/message.svelte';
import { shop } from '$stores/shop.svelte';
import { toasts } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';
import { jobView, snapshot } from '../../test/shapes';

import { againText } from './againText';
import { canRepeat, jobsOf, repeatable, takeBack, takenBack, undecided } from './repeat';

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
  let renewed: () => void;
  const tell = (kind: string, data: unknown, jobId = '') => {
    const e = { seq: 1, time: '', kind, chat: 'main', job: jobId, data } as Envelope;
    shop.jobs.apply(e);
    hear(e);
  };
  const done = (turn: string) => tell('turn.done', { message: '', messageId: turn });
  /** Events are missing, and a snapshot has been taken in their place. */
  const renew = (busy: boolean, jobs: JobView[], ...said: ChatMessage[]) => {
    const taken = snapshot({
      jobs,
      chats: [{ id: 'main', title: '', updated: '', busy, messages: said }],
    });
    shop.chats.load(taken);
    shop.jobs.load(taken);
    renewed();
  };
  const asked = {
    id: 'u',
    role: 'customer',
    text: '',
    time: '2026-01-02T03:04:05Z',
  } as ChatMessage;
  const undoing = (state: JobState) => jobView('b', 2, { state, turn: 'u' });
  const still = Symbol('still');
  const now = (waits: Promise<boolean>) => Promise.race([waits, settled().then(() => still)]);
  /** Everything that was promised by now has been heard of. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    vi.spyOn(api, 'deletedChats').mockResolvedValue([]);
    shop.chats.load(snapshot());
    shop.jobs.load(snapshot({ jobs: [jobView('j', 1, { state: 'succeeded', undoable: true })] }));
    vi.spyOn(shop, 'watch').mockImplementation((watcher, after) => {
      [hear, renewed] = [watcher, after!];
      return () => true;
    });
    vi.spyOn(api, 'undoJob').mockResolvedValue({ id: 'u' } as ChatMessage);
  });

  it.each(['succeeded', 'canceled'] as const)('is waited for until its job has %s', async (to) => {
    const waits = takenBack('j');
    tell('job.created', { id: 'b', number: 2, title: 'back', chat: 'main', turn: 'u' }, 'b');
    done('u');
    expect(await now(waits)).toBe(still);
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

  it.each(['succeeded', 'canceled'] as const)(
    'is over where only a snapshot tells that its job has %s',
    async (to) => {
      const waits = takenBack('j');
      await settled();
      renew(false, [undoing('running')], asked);
      expect(await now(waits)).toBe(still);
      renew(false, [undoing(to)], asked);
      expect(await waits).toBe(to === 'succeeded');
    },
  );

  it('is over where a snapshot swallowed that nothing came of it, and not before it was heard', async () => {
    const waits = takenBack('j');
    await settled();
    renew(false, []);
    expect(await now(waits)).toBe(still);
    renew(true, [], asked);
    expect(await now(waits)).toBe(still);
    renew(false, [], asked);
    expect(await now(waits)).toBe(false);
  });

  describe('before a request is said anew', () => {
    /** Which jobs are asked to be taken back, in this order. */
    let undone: string[];
    const jobs = () =>
      ['a', 'b'].map((id, n) => jobView(id, n + 1, { state: 'succeeded', undoable: true }));
    /** The job that takes another back ends. */
    const ends = async (id: string, to: JobState) => {
      await settled();
      const [by, turn] = [`by-${id}-${to}`, `u-${id}`];
      tell('job.created', { id: by, number: 9, title: by, chat: 'main', turn }, by);
      tell('job.state', { id: by, from: 'running', to }, by);
      shop.jobs.byId.delete(by); // the next has the same turn
      await settled();
    };

    beforeEach(() => {
      undone = [];
      toasts.list = [];
      shop.jobs.load(snapshot({ jobs: jobs() }));
      vi.spyOn(api, 'undoJob').mockImplementation((id) => {
        undone.push(id);
        return Promise.resolve({ id: `u-${id}` } as ChatMessage);
      });
      view.taking = {};
      view.editing = {};
      view.edit('main', 'q', 'other words', undefined, { back: ['a', 'b'] });
    });

    it('is not asked about twice, where the rest was refused', async () => {
      const first = takeBack('main');
      await ends('b', 'succeeded');
      await ends('a', 'canceled');
      expect(await first).toBe(false);
      expect(view.editing['main']?.back).toEqual(['a']);
      // A snapshot does not know that it was.
      shop.jobs.load(snapshot({ jobs: jobs() }));
      expect(shop.jobs.all.filter((one) => one.undoable).map((one) => one.id)).toEqual(['a']);
      const second = takeBack('main');
      await ends('a', 'succeeded');
      expect(await second).toBe(true);
      expect(undone).toEqual(['b', 'a', 'a']);
      expect(view.editing['main']?.back).toEqual([]);
    });

    it('goes on where another chat is open, and begins there, too, but never twice in one', async () => {
      const here = takeBack('main');
      expect(view.taking['main']).toBe('q');
      view.edit('other', 'p', 'words', undefined, { back: [] });
      expect(await takeBack('other')).toBe(true);
      expect(await takeBack('main')).toBe(false);
      expect(toasts.list.map((one) => one.text)).toEqual([againText.stillTaking]);
      await ends('b', 'succeeded');
      await ends('a', 'succeeded');
      expect(await here).toBe(true);
      expect(undone).toEqual(['b', 'a']);
      expect(view.taking['main']).toBeUndefined();
    });

    it('ends with the change of the request, and never stands for the next one', async () => {
      const waits = takeBack('main');
      view.stopEditing('main');
      view.edit('main', 'q', 'again', undefined, { back: ['a', 'b'] });
      await ends('b', 'succeeded');
      expect(await waits).toBe(false);
      expect(undone).toEqual(['b']);
      expect(view.editing['main']?.back).toEqual(['a']);
      expect(view.taking['main']).toBeUndefined();
    });
  });
});
