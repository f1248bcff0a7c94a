import { expect, it } from 'vitest';

import type { JobState } from '$lib/api/types';
import { Message } from '$stores/message.svelte';
import { Job } from '$stores/jobs.svelte';
import { jobView } from '../../test/shapes';

import { fold, holds } from './fold';
import { timeline } from './timeline';

const at = (s: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, s)).toISOString();
function said(id: string, role: 'customer' | 'shop' | 'job', s: number, text = id, job?: string) {
  const message = new Message(id, role, at(s), text);
  message.jobId = job;
  return message;
}
const job = (id: string, n: number, s: number, state: JobState = 'succeeded', todos = 1) =>
  new Job(id).fill(
    jobView(id, n, {
      state,
      created: at(s),
      todos: Array.from({ length: todos }, (_, i) => ({
        id: `${id}${i}`,
        title: 'sum',
        state: 'done' as const,
        node: '',
      })),
    }),
  );
const keys = (messages: Message[], jobs: Job[]) =>
  fold(timeline(messages, jobs, [])).map((e) => e.key);

const sum = [
  said('ask', 'customer', 0),
  said('sure', 'shop', 1, 'I will work out Job j.'),
  said('five', 'job', 3, '35000 / 7 = 5,000', 'j'),
];

it('makes a small sum one ticket', () => {
  const entries = fold(timeline(sum, [job('j', 1, 1)], []));
  expect(entries.map((e) => e.key)).toEqual(['ask', 'job:j']);
  expect(entries[1]).toMatchObject({ report: { id: 'five' }, reply: { id: 'sure' } });
  expect(entries[1] && holds(entries[1], 'five')).toBe(true);
});

it('leaves what came after the next word of the person where it came', () => {
  const later = [...sum.slice(0, 2), said('more', 'customer', 2), ...sum.slice(2)];
  expect(keys(later, [job('j', 1, 1)])).toEqual(['ask', 'job:j', 'more', 'five']);
});

it('leaves long results, questions and replies about several jobs as messages', () => {
  const long = [...sum.slice(0, 2), said('five', 'job', 3, 'x'.repeat(500), 'j')];
  expect(keys(long, [job('j', 1, 1)])).toEqual(['ask', 'job:j', 'five']);
  const asks = [sum[0]!, said('sure', 'shop', 1, 'Shall I do Job j?'), sum[2]!];
  expect(keys(asks, [job('j', 1, 1)])).toEqual(['ask', 'sure', 'job:j']);
  const both = [job('j', 1, 1, 'running'), job('k', 2, 1, 'running')];
  expect(keys(sum.slice(0, 2), both)[1]).toBe('sure');
  expect(keys(sum, [job('k', 1, 1)])).toEqual(['ask', 'sure', 'job:k', 'five']);
});

it('tells a failure once, whatever the size of the job', () => {
  const failed = job('j', 1, 1, 'failed', 3);
  expect(keys(sum, [failed])).toEqual(['ask', 'sure', 'job:j']);
  expect(keys(sum, [job('j', 1, 1, 'succeeded', 3)])).toEqual(['ask', 'sure', 'job:j', 'five']);
});
