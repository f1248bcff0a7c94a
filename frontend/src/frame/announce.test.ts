import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Envelope, Kind, Payloads } from '$lib/events';

import { Announcements, GATHER_MS } from './announce.svelte';
import { frameText as t } from './messages';

const envelope = <K extends Kind>(kind: K, data: Payloads[K]) =>
  ({ seq: 1, time: '2026-01-02T03:04:05Z', kind, chat: 'main', data }) as Envelope;

const ended = (id: string, to: Payloads['job.state']['to']) =>
  envelope('job.state', { id, jobId: id, from: 'running', to });

const asked = (id: string, question: string) =>
  envelope('ask.opened', { id, jobTitle: 'job', question, kind: 'lock' } as Payloads['ask.opened']);

describe('what people who listen are told', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('says one thing as it is', () => {
    const a = new Announcements((id) => `job ${id}`);
    a.hear(asked('a', 'wait?'));
    a.hear(ended('1', 'failed'));
    vi.advanceTimersByTime(GATHER_MS);
    expect(a.questions).toBe(t.newQuestion('job', 'wait?'));
    expect(a.ends).toBe(t.jobFailed('job 1'));
  });

  it('says many at once as one, and leaves none out', () => {
    const a = new Announcements((id) => `job ${id}`);
    a.hear(asked('a', 'wait?'));
    a.hear(asked('b', 'wait?'));
    for (let i = 0; i < 10; i++) a.hear(ended(String(i), i < 7 ? 'succeeded' : 'canceled'));
    expect(a.ends).toBe('');
    vi.advanceTimersByTime(GATHER_MS);
    expect(a.questions).toBe(t.newQuestions(2));
    expect(a.ends).toBe(`${t.jobsSucceeded(7)} ${t.jobsCanceled(3)}`);
    a.hear(ended('x', 'succeeded'));
    vi.advanceTimersByTime(GATHER_MS);
    expect(a.ends).toBe(t.jobSucceeded('job x'));
  });

  it('says nothing of jobs that go on or that nobody knows', () => {
    const a = new Announcements(() => undefined);
    a.hear(ended('1', 'running'));
    a.hear(ended('1', 'failed'));
    vi.advanceTimersByTime(GATHER_MS);
    expect(a.ends).toBe('');
  });
});
