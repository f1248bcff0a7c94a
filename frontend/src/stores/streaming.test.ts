import { beforeEach, describe, expect, it } from 'vitest';

import type { Envelope, Kind, Payloads } from '$lib/events';
import { jobView, snapshot } from '../test/shapes';

import { Shop } from './shop.svelte';

const state = { stage: '', slots: {}, meta: {} };
const turnDone = { message: '', messageId: '', nextAction: 'NONE', uiHint: { buttons: [] }, state };

describe('a reply that is being written', () => {
  let shop: Shop;
  let seq: number;

  beforeEach(async () => {
    seq = 0;
    shop = new Shop({
      snapshot: () =>
        Promise.resolve(
          snapshot({
            jobs: [
              jobView('j', 1, {
                state: 'running',
                todos: [{ id: 'todo', title: 't', state: 'running', node: 'solve' }],
              }),
            ],
          }),
        ),
      logs: () => Promise.resolve([]),
      listen: () => () => undefined,
    });
    await shop.reload();
    expect(shop.ready).toBe(true);
  });

  function say<K extends Kind>(kind: K, data: Payloads[K], chat = 'main', job = ''): void {
    const time = '2026-01-02T03:04:05Z';
    shop.receive([{ seq: ++seq, time, kind, chat, job, data } as unknown as Envelope]);
  }
  const texts = () => shop.chats.current.messages.map((m) => m.text);
  const ask = () => say('chat.message', { id: 'q', role: 'customer', text: 'hello' });

  it('grows, and the whole message takes its place without a second one', () => {
    ask();
    say('chat.token', { id: 'r', delta: 'Goo' });
    say('chat.token', { id: 'r', delta: 'd' });
    expect(texts()).toEqual(['hello', 'Good']);
    expect(shop.chats.current.streaming).toBe(true);
    const growing = shop.chats.current.messages[1];
    say('chat.message', { id: 'r', role: 'shop', text: 'Good day.', reasoning: 'polite' });
    say('turn.done', turnDone);
    expect(texts()).toEqual(['hello', 'Good day.']);
    expect(shop.chats.current.messages[1]).toBe(growing);
    expect(growing?.reasoning).toBe('polite');
    expect(shop.chats.current.streaming).toBe(false);
  });

  it('begins anew when the model was asked again', () => {
    ask();
    say('chat.token', { id: 'r', delta: 'Rubbish' });
    say('chat.token', { id: 'r', delta: 'Better', reset: true });
    expect(texts()).toEqual(['hello', 'Better']);
  });

  it('leaves nothing behind when it is stopped, whatever is said instead', () => {
    ask();
    say('chat.token', { id: 'r', delta: 'Half a sen' });
    say('chat.message', { id: 'other', role: 'shop', text: 'Stopped the reply.' });
    expect(texts()).toEqual(['hello', 'Stopped the reply.']);
    say('turn.done', turnDone);
    expect(texts()).toEqual(['hello', 'Stopped the reply.']);
  });

  it('leaves nothing behind when the turn ends without a message', () => {
    ask();
    say('chat.token', { id: 'r', delta: 'Half a sen' });
    say('turn.done', turnDone);
    expect(texts()).toEqual(['hello']);
    expect(shop.chats.current.busy).toBe(false);
  });

  it('keeps what the model thinks apart from what it says', () => {
    ask();
    say('thinking', { step: 'generating', text: 'Let me ', data: { id: 'r' } });
    say('thinking', { step: 'generating', text: 'see.', data: { id: 'r' } });
    const message = shop.chats.current.messages[1];
    expect(message?.reasoning).toBe('Let me see.');
    expect(message?.text).toBe('');
    say('chat.token', { id: 'r', delta: 'Yes.' });
    expect(message?.text).toBe('Yes.');
  });

  it('says what one waits for: the role, the place in line, and nothing once the turn is over', () => {
    ask();
    const chat = shop.chats.current;
    say('agent.start', { agent: 'planner', label: 'Reading' });
    expect(chat.activity).toBe('Reading');
    say('agent.queued', { agent: 'planner', label: 'In line', place: 2 });
    expect(chat.place).toBe(2);
    say('agent.start', { agent: 'planner', label: 'Reading' });
    expect(chat.place).toBe(0);
    say('turn.done', turnDone);
    expect([chat.busy, chat.activity, chat.place]).toEqual([false, '', 0]);
  });

  it('says how far a slow model is, beside what it does', () => {
    ask();
    const chat = shop.chats.current;
    say('agent.start', { agent: 'planner', label: 'Reading' });
    say('thinking', {
      step: 'planning',
      text: 'Reading: 1850 tokens',
      work: { read: 1850, seconds: 40 },
    });
    expect([chat.activity, chat.work?.read, chat.work?.seconds]).toEqual(['Reading', 1850, 40]);
    say('thinking', { step: 'planning', text: 'Reading: 34 written', work: { wrote: 34 } });
    expect([chat.activity, chat.work?.wrote]).toEqual(['Reading', 34]);
    say('agent.done', { agent: 'planner', label: 'Reading', success: true, ms: 1 });
    expect(chat.work).toBeUndefined();
  });

  it('says once, and for good, that something was shortened', () => {
    ask();
    say('thinking', { step: 'context', text: 'Summed up.' });
    say('turn.done', turnDone);
    expect(shop.chats.current.messages.at(-1)?.role).toBe('note');
  });

  it('of a todo stays on its ticket', () => {
    const job = shop.jobs.get('j');
    say('agent.start', { agent: 'solver', label: 'Solving' }, 'main', 'j');
    say('agent.queued', { agent: 'solver', label: '', place: 3 }, 'main', 'j');
    expect([job?.activity, job?.modelPlace]).toEqual(['Solving', 3]);
    say('thinking', { step: 'generating', text: 'hm', data: { id: 'todo' } }, 'main', 'j');
    say('chat.token', { id: 'todo', delta: '42' }, 'main', 'j');
    expect([job?.draft, job?.thoughts]).toEqual(['42', 'hm']);
    expect(shop.chats.current.messages).toEqual([]);
    expect(shop.chats.current.activity).toBe('');
    const done = {
      jobId: 'j',
      todoId: 'todo',
      index: 0,
      state: 'done',
      node: 'save_result',
    } as const;
    say('todo.state', done, 'main', 'j');
    expect([job?.draft, job?.thoughts, job?.modelPlace]).toEqual(['', '', 0]);
  });

  it('says on a ticket what a slow model reads, not how much it writes', () => {
    const job = shop.jobs.get('j');
    say('agent.start', { agent: 'solver', label: 'Solving' }, 'main', 'j');
    say(
      'thinking',
      { step: 'generating', text: 'Solving: 900 tokens', work: { read: 900 } },
      'main',
      'j',
    );
    say(
      'thinking',
      { step: 'generating', text: 'Solving: 3 written', work: { wrote: 3 } },
      'main',
      'j',
    );
    expect([job?.activity, shop.chats.current.work]).toEqual(['Solving: 900 tokens', undefined]);
  });

  it('of a report is a message of the chat, and holds up nobody', () => {
    say('chat.token', { id: 'report', delta: 'All' }, 'main', 'j');
    const message = shop.chats.current.messages[0];
    expect([message?.role, message?.jobId, message?.text]).toEqual(['job', 'j', 'All']);
    expect(shop.chats.current.streaming).toBe(false);
    ask();
    say('chat.token', { id: 'r', delta: 'Hi' });
    say('turn.done', turnDone);
    expect(texts()).toEqual(['All', 'hello']);
    const whole = { id: 'report', role: 'job', text: 'All done.', jobId: 'j' } as const;
    say('chat.message', whole, 'main', 'j');
    expect(texts()).toEqual(['All done.', 'hello']);
  });

  it("steering a job is a turn of the job's own chat", () => {
    say('chat.message', { id: 'q', role: 'customer', text: 'faster' }, 'job:j', 'j');
    say('agent.start', { agent: 'planner', label: 'Reading' }, 'job:j', 'j');
    say('chat.token', { id: 'r', delta: 'Sure' }, 'job:j', 'j');
    const talk = shop.chats.byId.get('job:j');
    expect(talk?.activity).toBe('Reading');
    expect(talk?.messages.map((m) => m.text)).toEqual(['faster', 'Sure']);
    expect(talk?.streaming).toBe(true);
  });

  it('outlives a new snapshot while its turn goes on', () => {
    ask();
    say('chat.token', { id: 'r', delta: 'Half' });
    const q = { id: 'q', role: 'customer', text: 'hello' } as const;
    const chats = (busy: boolean) => [{ id: 'main', title: '', updated: '', messages: [q], busy }];
    shop.chats.load(snapshot({ chats: chats(true) }));
    expect(texts()).toEqual(['hello', 'Half']);
    shop.chats.load(snapshot({ chats: chats(false) }));
    expect(texts()).toEqual(['hello']);
  });
});
