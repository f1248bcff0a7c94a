import { api, type ClosedAsk, type JobDetail } from '$lib/api';
import type { Envelope } from '$lib/events';
import type { shop as shapes } from '$lib/api/types';

import { jobChat } from './chats.svelte';
import type { Shop } from './shop.svelte';

const LOG_KEPT = 5000;

/** What the open job panel shows besides the job itself: its own chat, its log and its answered questions. */
export class Room {
  readonly jobId: string;
  log = $state.raw<shapes.LogEntry[]>([]);
  closed = $state.raw<ClosedAsk[]>([]);
  loaded = $state(false);
  /** The shop does not know this job any more. */
  gone = $state(false);

  #shop: Shop;
  #early: shapes.LogEntry[] | undefined = [];

  constructor(shop: Shop, jobId: string) {
    this.#shop = shop;
    this.jobId = jobId;
  }

  /** Listens and fetches what was before; the result stops it. */
  enter(fetch: (id: string) => Promise<JobDetail> = api.job): () => void {
    const stop = this.#shop.watch((e) => this.#hear(e));
    fetch(this.jobId).then(
      (detail) => this.#load(detail),
      () => (this.gone = !this.#shop.jobs.get(this.jobId)),
    );
    return stop;
  }

  #load(detail: JobDetail): void {
    if (detail.job) this.#shop.jobs.put(detail.job);
    // One that was answered while this was fetched is in it or was heard of, or both.
    const closed = detail.closed ?? [];
    const known = new Set(closed.map((c) => c.ask.id));
    this.closed = [...closed, ...this.closed.filter((c) => !known.has(c.ask.id))];
    this.#shop.chats.ensure(jobChat(this.jobId)).prepend(detail.messages ?? []);
    const log = detail.log ?? [];
    const last = log.at(-1);
    // Lines that were heard while the old ones were fetched may be among them already.
    const fresh = (this.#early ?? []).filter(
      (l) => !last || Date.parse(l.time) > Date.parse(last.time),
    );
    this.#early = undefined;
    this.log = [...log, ...fresh];
    this.loaded = true;
  }

  #hear(e: Envelope): void {
    if (e.kind === 'job.log' && e.data.jobId === this.jobId) {
      const entry = { ...e.data, time: e.time };
      if (this.#early) this.#early.push(entry);
      else this.log = [...this.log.slice(-LOG_KEPT), entry];
    }
    if (e.kind === 'ask.closed' && e.data.jobId === this.jobId) {
      const ask = this.#shop.asks.byId.get(e.data.id)?.data;
      const { choice, by, via, reason: text } = e.data;
      if (ask && !this.closed.some((c) => c.ask.id === ask.id))
        this.closed = [...this.closed, { ask, choice, by, via, text, time: e.time }];
    }
  }
}
