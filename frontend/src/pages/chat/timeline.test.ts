import { describe, expect, it } from 'vitest';

import { Ask } from '$stores/asks.svelte';
import { Message } from '$stores/message.svelte';
import { Job } from '$stores/jobs.svelte';
import { askOpened, jobView } from '../../test/shapes';

import { timeline } from './timeline';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 2) + ms).toISOString();
const said = (id: string, role: 'customer' | 'shop', ms: number) =>
  new Message(id, role, at(ms), id);
const job = (id: string, n: number, ms: number) =>
  new Job(id).fill(jobView(id, n, { created: at(ms) }));

describe('the timeline', () => {
  it('puts what was said, tickets and answers in the order they happened', () => {
    const ask = new Ask(askOpened('a'), at(0));
    ask.closedAt = at(9000);
    const keys = timeline(
      [said('hello', 'customer', 0), said('later', 'customer', 10_000)],
      [job('j1', 1, 5000), job('j2', 2, 6000)],
      [ask],
    ).map((e) => e.key);
    expect(keys).toEqual(['hello', 'job:j1', 'job:j2', 'ask:a', 'later']);
  });

  it('shows the reply before the ticket it speaks of, whichever came first', () => {
    const messages = [said('please', 'customer', 0), said('sure', 'shop', 40)];
    for (const made of [30, 50]) {
      const keys = timeline(messages, [job('j', 1, made)], []).map((e) => e.key);
      expect(keys).toEqual(['please', 'sure', 'job:j']);
    }
  });

  it('never puts a ticket behind the next request, however soon it came', () => {
    const messages = [
      said('one', 'customer', 0),
      said('sure', 'shop', 40),
      said('two', 'customer', 400),
      said('fine', 'shop', 440),
    ];
    const keys = timeline(messages, [job('j1', 1, 50), job('j2', 2, 445)], []).map((e) => e.key);
    expect(keys).toEqual(['one', 'sure', 'job:j1', 'two', 'fine', 'job:j2']);
  });
});

describe('what belongs together', () => {
  const answer = (id: string, turn: string, ms: number) => {
    const message = said(id, 'shop', ms);
    message.turn = turn;
    return message;
  };
  const ticket = (id: string, n: number, ms: number, turn: string, reply = '') =>
    new Job(id).fill(jobView(id, n, { created: at(ms), turn, reply }));
  const report = (id: string, jobId: string, ms: number) => {
    const message = new Message(id, 'job', at(ms), id);
    message.jobId = jobId;
    return message;
  };

  it('keeps a ticket under its own request, however soon the next was said', () => {
    const keys = timeline(
      [
        said('one', 'customer', 0),
        said('two', 'customer', 100),
        answer('re one', 'one', 300),
        report('sum one', 'a', 350),
        answer('re two', 'two', 400),
        report('sum two', 'b', 450),
      ],
      [ticket('a', 1, 290, 'one', 're one'), ticket('b', 2, 390, 'two', 're two')],
      [],
    ).map((e) => e.key);
    expect(keys).toEqual([
      'one',
      're one',
      'job:a',
      'two',
      'sum one',
      're two',
      'job:b',
      'sum two',
    ]);
  });

  it('never shows a result above its ticket', () => {
    const messages = [
      said('one', 'customer', 0),
      report('sum', 'a', 20),
      answer('re one', 'one', 30),
    ];
    const keys = timeline(messages, [ticket('a', 1, 10, 'one', 're one')], []).map((e) => e.key);
    expect(keys).toEqual(['one', 're one', 'job:a', 'sum']);
  });

  it('shows a ticket of the counter before the outcome', () => {
    const messages = [said('yes', 'customer', 0), answer('sent', 'yes', 900)];
    const keys = timeline(messages, [ticket('a', 1, 10, 'yes')], []).map((e) => e.key);
    expect(keys).toEqual(['yes', 'job:a', 'sent']);
  });

  it('never reaches past the next request, also for tickets that do not say whose they are', () => {
    const messages = [
      said('one', 'customer', 0),
      said('two', 'customer', 100),
      said('re two', 'shop', 200),
    ];
    const keys = timeline(messages, [job('a', 1, 50)], []).map((e) => e.key);
    expect(keys).toEqual(['one', 'job:a', 'two', 're two']);
  });
});
