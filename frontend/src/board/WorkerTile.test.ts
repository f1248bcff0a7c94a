import { fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Blink, WorkerStateName } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { Job } from '$stores/jobs.svelte';
import { SETTLE_MS, Worker } from '$stores/workers.svelte';
import { jobView } from '../test/shapes';

import WaitingTile from './WaitingTile.svelte';
import WorkerTile from './WorkerTile.svelte';

beforeEach(() => {
  vi.useFakeTimers();
  language.current = 'en';
});
afterEach(() => void vi.useRealTimers());

const job = () => new Job('j').fill(jobView('j', 9, { title: 'Play a song', state: 'running' }));

function tile(state: WorkerStateName, blink: Blink) {
  const worker = new Worker(2);
  worker.set({ worker: 2, state, blink, jobId: 'j' }, true);
  const onopen = vi.fn();
  render(WorkerTile, { worker, job: job(), onopen });
  return { worker, onopen, tile: screen.getByTestId<HTMLButtonElement>('worker-tile') };
}

it('opens the panel of its job', async () => {
  const { onopen, tile: button } = tile('running', 'none');
  expect(button.dataset).toMatchObject({ worker: '2', state: 'running', blink: 'none' });
  expect(button.textContent).toContain('Working');
  await fireEvent.click(button);
  expect(onopen).toHaveBeenCalledWith('j');
});

it.each(['green', 'red'] as const)('blinks %s and settles', (blink) => {
  const { tile: button } = tile(blink === 'green' ? 'succeeded' : 'failed', blink);
  expect(button.classList.contains('blinking')).toBe(true);
  vi.advanceTimersByTime(SETTLE_MS);
  flushSync();
  expect(button.classList.contains('blinking')).toBe(false);
  expect(button.classList.contains(blink)).toBe(true);
});

it('shows a hand to the person a job needs, and a place to the others', () => {
  const waiting = job();
  waiting.state = 'waiting';
  waiting.place = 3;
  render(WaitingTile, { job: waiting, needsYou: true, onopen: vi.fn() });
  expect(screen.getByTestId('waiting-tile').dataset['blink']).toBe('yellow');
  render(WaitingTile, { job: waiting, needsYou: false, onopen: vi.fn() });
  expect(screen.getByText('No. 3 in line')).toBeTruthy();
});
