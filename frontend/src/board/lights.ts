// What is lit on the board. A job has one light, wherever it stands: with the person, with a worker or in line.
import type { ServiceView } from '$lib/api/types';
import type { Job } from '$stores/jobs.svelte';
import type { Worker } from '$stores/workers.svelte';

export type Light =
  | { kind: 'worker'; key: string; worker: Worker }
  | { kind: 'waiting'; key: string; job: Job; needsYou: boolean }
  | { kind: 'slip'; key: string; slip: ServiceView };

export interface Lights {
  /** Who needs the person, then what runs and what has just ended, then who stands in line. */
  lit: Light[];
  needsYou: number;
  running: number;
  inLine: number;
  /** Workers without a job. */
  free: number;
}

/** Whether a light calls for the person. */
export const calls = (light: Light): boolean =>
  light.kind === 'slip' || (light.kind === 'waiting' && light.needsYou);

/**
 * Works out the lights. `asked` are the jobs with an open question, oldest question first; `slips` what waits for the
 * person's word at the counters of chats that are not in sight. A worker whose job is over
 * stays lit for as long as its light blinks; a worker whose job went to wait is free, and the job has the light.
 */
export function lights(
  workers: readonly Worker[],
  waiting: readonly Job[],
  asked: readonly Job[],
  slips: readonly ServiceView[] = [],
): Lights {
  const needs = new Set(asked);
  const parked = new Set([...asked, ...waiting].map((j) => j.id));
  const busy = workers.filter(
    (w) => w.jobId && !parked.has(w.jobId) && (w.state === 'running' || w.blinking),
  );
  const line = waiting.filter((j) => !needs.has(j)).sort((a, b) => a.place - b.place);
  const light = (job: Job, needsYou: boolean): Light => ({
    kind: 'waiting',
    key: job.id,
    job,
    needsYou,
  });
  return {
    lit: [
      ...asked.map((job) => light(job, true)),
      ...slips.map((slip): Light => ({ kind: 'slip', key: `slip:${slip.chat}`, slip })),
      ...busy.map((worker): Light => ({ kind: 'worker', key: worker.jobId ?? '', worker })),
      ...line.map((job) => light(job, false)),
    ],
    needsYou: asked.length + slips.length,
    running: busy.filter((w) => w.state === 'running').length,
    inLine: line.length,
    free: workers.length - busy.filter((w) => w.state === 'running').length,
  };
}

/**
 * Keeps the lights where they are while the pointer is among them: whoever was there keeps its place, what is new comes
 * last.
 */
export function steady(before: readonly Light[], now: readonly Light[]): Light[] {
  const place = new Map(before.map((l, i) => [l.key, i]));
  const at = (l: Light) => place.get(l.key) ?? before.length;
  return [...now].sort((a, b) => at(a) - at(b));
}
