import { expect, it } from 'vitest';

import type { Blink, JobState, ServiceView, WorkerStateName } from '$lib/api/types';
import { Job } from '$stores/jobs.svelte';
import { Worker } from '$stores/workers.svelte';
import { jobView } from '../test/shapes';

import { calls, lights, steady } from './lights';

const job = (id: string, number: number, state: JobState = 'waiting', place = 0) =>
  new Job(id).fill(jobView(id, number, { state, place }));

function worker(number: number, state: WorkerStateName, jobId?: string, blink: Blink = 'none') {
  const made = new Worker(number);
  made.set({ worker: number, state, blink, jobId }, true);
  return made;
}

const names = (all: ReturnType<typeof lights>) => all.lit.map((l) => `${l.kind} ${l.key}`);

it('lights who needs the person first, then what runs, then the line; the free are a number', () => {
  const [asked, first, second] = [
    job('a', 1),
    job('f', 2, 'waiting', 1),
    job('s', 3, 'waiting', 2),
  ];
  const workers = [worker(1, 'idle'), worker(2, 'running', 'r'), worker(3, 'idle')];
  const all = lights(workers, [asked, second, first], [asked]);
  expect(names(all)).toEqual(['waiting a', 'worker r', 'waiting f', 'waiting s']);
  expect(all).toMatchObject({ needsYou: 1, running: 1, inLine: 2, free: 2 });
});

it('has one light for a job whose worker still shows that it went to wait', () => {
  const asked = job('a', 1);
  const all = lights([worker(1, 'waiting', 'a', 'yellow')], [asked], [asked]);
  expect(names(all)).toEqual(['waiting a']);
  expect(all).toMatchObject({ needsYou: 1, running: 0, free: 1 });
});

it('lets what ended shine while it blinks', () => {
  const over = worker(1, 'succeeded', 'j', 'green');
  expect(names(lights([over], [], []))).toEqual(['worker j']);
  over.blinking = false;
  expect(lights([over], [], [])).toMatchObject({ lit: [], free: 1 });
});

it('moves no light while the pointer is among them', () => {
  const [asked, late] = [job('a', 1), job('late', 9)];
  const running = [worker(1, 'running', 'x'), worker(2, 'running', 'y')];
  const before = lights(running, [], []).lit;
  const now = steady(before, lights(running, [asked, late], [asked, late]).lit);
  expect(now.map((l) => l.key)).toEqual(['x', 'y', 'a', 'late']);
});

it('gives what waits at the counter of another chat a light, behind the questions', () => {
  const asked = job('a', 1);
  const slip = {
    chat: 'other',
    service: 'pay',
    title: '송금',
    stage: 'AWAIT',
    slots: [],
    buttons: [],
  };
  const all = lights([], [asked], [asked], [slip as unknown as ServiceView]);
  expect(names(all)).toEqual(['waiting a', 'slip slip:other']);
  expect(all.needsYou).toBe(2);
  expect(all.lit.map(calls)).toEqual([true, true]);
});
