import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Envelope, Kind, Payloads } from '$lib/events';

import { Announcements, GATHER_MS, readingMs, STANDS_MS } from './announce.svelte';
import { frameText as t } from './messages';

const envelope = <K extends Kind>(kind: K, data: Payloads[K], chat = 'main') =>
  ({ seq: 1, time: '2026-01-02T03:04:05Z', kind, chat, data }) as Envelope;

const ended = (id: string, to: Payloads['job.state']['to']) =>
  envelope('job.state', { id, jobId: id, from: 'running', to });

const asked = (id: string, question: string) =>
  envelope('ask.opened', { id, jobTitle: 'job', question, kind: 'lock' } as Payloads['ask.opened']);

const message = (id: string, text: string, role = 'shop', chat = 'main') =>
  envelope('chat.message', { id, role, text } as Payloads['chat.message'], chat);

const announcements = (title: (id: string) => string | undefined = (id) => `job ${id}`) =>
  new Announcements({ title, shown: (chat) => chat === 'main' });
const urgent = (a: Announcements) => a.urgent.map((s) => s.text);
const calm = (a: Announcements) => a.calm.map((s) => s.text);
const gathered = () => vi.advanceTimersByTime(GATHER_MS);

describe('what people who listen are told', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('says one thing as it is', () => {
    const a = announcements();
    a.hear(ended('1', 'failed'));
    gathered();
    expect(calm(a)).toEqual([t.jobFailed('job 1')]);
    expect(urgent(a)).toEqual([]);
  });

  it('says many at once as few, and leaves none out', () => {
    const a = announcements();
    for (let i = 0; i < 10; i++) a.hear(ended(String(i), i < 7 ? 'succeeded' : 'canceled'));
    expect(calm(a)).toEqual([]);
    gathered();
    expect(calm(a)).toEqual([t.jobsSucceeded(7), t.jobsCanceled(3)]);
    a.hear(asked('a', 'wait?'));
    a.hear(asked('b', 'wait?'));
    gathered();
    expect(urgent(a)).toEqual([t.newQuestions(2)]);
  });

  it('says two messages of the same moment both, also when they say the same', () => {
    const a = announcements();
    a.hear(message('1', 'The sum is **36**.'));
    a.hear(message('2', 'The note is written.', 'job'));
    gathered();
    expect(calm(a)).toEqual(['The sum is 36.', 'The note is written.']);
    a.hear(message('3', 'The note is written.', 'job'));
    gathered();
    expect(calm(a)).toEqual(['The sum is 36.', 'The note is written.', 'The note is written.']);
    expect(new Set(a.calm.map((s) => s.id)).size).toBe(3);
  });

  it('lets what is calm wait until what is urgent has been read', () => {
    const a = announcements();
    a.hear(ended('1', 'succeeded'));
    a.hear(asked('a', 'wait?'));
    gathered();
    const question = t.newQuestion('job', 'wait?');
    expect(urgent(a)).toEqual([question]);
    expect(calm(a)).toEqual([]);
    vi.advanceTimersByTime(readingMs(question));
    expect(calm(a)).toEqual([t.jobSucceeded('job 1')]);
  });

  it('says once more what was interrupted, and not what had been read', () => {
    const a = announcements();
    a.hear(message('1', 'read to its end'));
    gathered();
    vi.advanceTimersByTime(readingMs('read to its end'));
    a.hear(message('2', 'only begun'));
    gathered();
    a.hear(asked('a', 'wait?'));
    gathered();
    vi.advanceTimersByTime(readingMs(t.newQuestion('job', 'wait?')));
    expect(calm(a)).toEqual(['read to its end', 'only begun', 'only begun']);
  });

  it('says an answer once, whole, and never as it is written', () => {
    const a = announcements();
    for (const delta of ['Once ', 'upon ', 'a time.'])
      a.hear(envelope('chat.token', { id: '1', delta }));
    gathered();
    expect(calm(a)).toEqual([]);
    a.hear(message('1', 'Once upon a time.'));
    gathered();
    expect(calm(a)).toEqual(['Once upon a time.']);
  });

  it('says at once what went wrong', () => {
    const a = announcements();
    a.hear(envelope('error', { code: 'x', message: 'The disk is full.' }));
    gathered();
    expect(urgent(a)).toEqual(['The disk is full.']);
  });

  it('says nothing of what one said oneself, of other chats, and of jobs that go on or that nobody knows', () => {
    const a = announcements(() => undefined);
    a.hear(message('1', 'mine', 'customer'));
    a.hear(message('2', 'elsewhere', 'shop', 'other'));
    a.hear(ended('1', 'running'));
    a.hear(ended('1', 'failed'));
    gathered();
    expect(calm(a)).toEqual([]);
  });

  it('keeps a sentence until nobody can still be reading it', () => {
    const a = announcements();
    a.note('saved', false);
    a.note('no room on the disk', true);
    gathered();
    expect(urgent(a)).toEqual(['no room on the disk']);
    vi.advanceTimersByTime(STANDS_MS + readingMs('no room on the disk'));
    expect(urgent(a)).toEqual([]);
    expect(calm(a)).toEqual(['saved']);
    a.stop();
  });
});
