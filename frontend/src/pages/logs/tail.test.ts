import { beforeEach, describe, expect, it } from 'vitest';

import type { LogLevel } from '$lib/api/types';
import type { Envelope } from '$lib/events';
import { LOG_LIMIT, Logs } from '$stores/logs.svelte';

import { lineOf } from '$stores/logs.svelte';

import { asText, extras, gravity, jobOf, keeper, stamp, type Line } from './line';
import { Tail } from './tail.svelte';

const line = (message: string, more: Partial<Line> = {}): Line => ({
  time: '2026-01-01T00:00:00.048Z',
  level: 'info',
  message,
  ...more,
});
const everything = () => true;

describe('Tail', () => {
  let logs: Logs;
  let tail: Tail;
  const messages = () => tail.slice(0, tail.length).map((l) => l.message);

  beforeEach(() => {
    logs = new Logs();
    tail = new Tail();
    tail.restart(everything, logs);
  });

  it('takes what is new and passes', () => {
    logs.append([line('a'), line('b', { level: 'error' })]);
    tail.restart((l) => l.level === 'error', logs);
    logs.append([line('c'), line('d', { level: 'error' })]);
    tail.catchUp(logs);
    expect(messages()).toEqual(['b', 'd']);
  });

  it('stands still between looks and knows how far it is behind', () => {
    logs.append([line('a')]);
    tail.catchUp(logs);
    logs.append([line('b'), line('c')]);
    expect(messages()).toEqual(['a']);
    expect(tail.behind(logs)).toBe(2);
  });

  it('looks at each line once, and keeps no more than the log does', () => {
    let looks = 0;
    tail.restart(() => ++looks > 0, logs);
    for (let i = 0; i < LOG_LIMIT + 5000; i += 500) {
      logs.append(Array.from({ length: 500 }, (_, n) => line(String(i + n))));
      tail.catchUp(logs);
    }
    expect(looks).toBe(LOG_LIMIT + 5000);
    expect(tail.length).toBe(LOG_LIMIT);
    expect(messages().at(-1)).toBe(String(LOG_LIMIT + 4999));
    expect(messages()[0]).toBe('5000');
  });

  it('skips what was gone before it could look', () => {
    logs.append(Array.from({ length: LOG_LIMIT + 10 }, (_, n) => line(String(n))));
    tail.catchUp(logs);
    expect(messages()[0]).toBe('10');
  });

  it('is empty after the log was cleared', () => {
    logs.append([line('a'), line('b')]);
    tail.catchUp(logs);
    logs.clear();
    logs.append([line('c')]);
    tail.catchUp(logs);
    expect(messages()).toEqual(['c']);
  });
});

describe('keeper', () => {
  const wanted = { level: 'debug' as LogLevel, source: '', text: '' };
  const lines = [
    line('start', { component: 'http' }),
    line('lease taken', { fields: { job: 'job-1', lease: 'l-9' } }),
    line('slow', { level: 'warn', fields: { jobId: 'job-2' } }),
    line('broken', { level: 'error' }),
    line('', { level: '', missed: 12 }),
  ];
  const kept = (more: Partial<typeof wanted>) =>
    lines.filter(keeper({ ...wanted, ...more })).map((l) => l.message || 'missed');

  it('keeps by level, source and words', () => {
    expect(kept({})).toHaveLength(5);
    expect(kept({ level: 'warn' })).toEqual(['slow', 'broken', 'missed']);
    expect(kept({ source: 'program' })).toEqual(['start', 'broken']);
    expect(kept({ source: 'jobs' })).toEqual(['lease taken', 'slow']);
    expect(kept({ source: 'job-2' })).toEqual(['slow']);
    expect(kept({ text: 'LEASE=l-9' })).toEqual(['lease taken']);
    expect(kept({ text: 'http' })).toEqual(['start']);
    expect(kept({ text: 'nowhere' })).toEqual([]);
  });
});

describe('a line', () => {
  it('comes from a job too', () => {
    const data = { jobId: 'job-1', level: 'info', line: 'searching', todoId: 't-1' } as const;
    const e: Envelope = { seq: 1, time: '2026-01-01T00:00:00Z', kind: 'job.log', data };
    expect(lineOf(e)).toMatchObject({
      message: 'searching',
      fields: { job: 'job-1', todo: 't-1' },
    });
    const other: Envelope = {
      seq: 2,
      time: '',
      kind: 'chat.created',
      data: { id: 'a', title: '' },
    };
    expect(lineOf(other)).toBeUndefined();
  });

  it('reads well', () => {
    const l = line('lease taken', { level: 'warn', fields: { job: 'j', n: 2, list: ['a'] } });
    expect(jobOf(l)).toBe('j');
    expect(extras(l)).toBe('n=2 list=["a"]');
    expect(asText(l)).toBe('2026-01-01T00:00:00.048Z WARN  job=j lease taken n=2 list=["a"]');
    expect(stamp(l.time)).toMatch(/^\d\d:\d\d:\d\d\.048$/);
    expect(stamp('never')).toBe('');
    expect(gravity('nonsense')).toBe(gravity('info'));
  });
});
