import { describe, expect, it } from 'vitest';

import { Ask } from '$stores/asks.svelte';
import { Message } from '$stores/chats.svelte';
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
});
