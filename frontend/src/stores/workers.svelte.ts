import { SvelteMap } from 'svelte/reactivity';

import type { Of } from '$lib/events';
import type { Blink, Snapshot, WorkerStateName, event } from '$lib/api/types';

/** Green and red blink this long, then stay lit. Yellow blinks for as long as somebody is needed. */
export const SETTLE_MS = 4000;

/** One worker as its tile on the board shows it. */
export class Worker {
  readonly number: number;
  state = $state<WorkerStateName>('idle');
  jobId = $state<string>();
  blink = $state<Blink>('none');
  /** True while the tile should blink. */
  blinking = $state(false);

  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(number: number) {
    this.number = number;
  }

  /** Takes a new state. One that is old news (from a snapshot) does not start to blink again, except for yellow. */
  set(next: event.WorkerState, news: boolean): void {
    const { blink } = next;
    const same = blink === this.blink && next.state === this.state && next.jobId === this.jobId;
    this.state = next.state;
    this.jobId = next.jobId || undefined;
    this.blink = blink;
    if (same && !news) return;
    clearTimeout(this.#timer);
    this.blinking = blink === 'yellow' || (news && blink !== 'none');
    if (this.blinking && blink !== 'yellow') {
      this.#timer = setTimeout(() => (this.blinking = false), SETTLE_MS);
    }
  }

  dismiss(): void {
    clearTimeout(this.#timer);
  }
}

/** The crew, by number. */
export class Workers {
  readonly kinds = ['worker.state'] as const;
  readonly byNumber = new SvelteMap<number, Worker>();
  readonly all = $derived([...this.byNumber.values()].sort((a, b) => a.number - b.number));

  load(snapshot: Snapshot): void {
    const states = snapshot.workers ?? [];
    const numbers = new Set(states.map((w) => w.worker));
    for (const [number, worker] of this.byNumber) {
      if (numbers.has(number)) continue;
      worker.dismiss();
      this.byNumber.delete(number);
    }
    for (const state of states) this.#worker(state.worker).set(state, false);
  }

  apply(e: Of<(typeof this.kinds)[number]>): void {
    if (e.kind === 'worker.state') this.#worker(e.data.worker).set(e.data, true);
  }

  /** The worker that has this job in hand. */
  withJob(jobId: string): Worker | undefined {
    return this.all.find((w) => w.jobId === jobId && w.state === 'running');
  }

  #worker(number: number): Worker {
    let worker = this.byNumber.get(number);
    if (!worker) {
      worker = new Worker(number);
      this.byNumber.set(number, worker);
    }
    return worker;
  }
}
