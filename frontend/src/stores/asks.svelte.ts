import { SvelteMap } from 'svelte/reactivity';

import { api } from '$lib/api';
import type { AskOpened, AskReply, Snapshot } from '$lib/api/types';
import type { Of } from '$lib/events';

/** One question, and its answer once there is one. It stays as a record. */
export class Ask {
  readonly id: string;
  data = $state.raw<AskOpened>() as AskOpened;
  opened = $state('');
  /** When what is asked last changed, in ms of this window's clock: buttons wait a moment after it. */
  changedAt = $state(0);
  choice = $state('');
  by = $state('');
  reason = $state('');
  /** The phone it was answered on. */
  via = $state('');
  closedAt = $state('');
  /** An answer is on its way. */
  answering = $state(false);

  constructor(data: AskOpened, opened: string) {
    this.id = data.id;
    this.data = data;
    this.opened = data.time || opened;
    this.changedAt = performance.now();
  }

  get open(): boolean {
    return this.choice === '';
  }

  update(data: AskOpened): void {
    if (JSON.stringify(data) === JSON.stringify(this.data)) return;
    this.data = data;
    this.changedAt = performance.now();
  }
}

/** How many answered questions stay as records beside the chats; a job's own page reads all of its from the ledger. */
const KEPT = 200;

/** All questions this window knows of. Open ones are a list, oldest first; a new one never takes another's place. */
export class Asks {
  readonly kinds = ['ask.opened', 'ask.closed'] as const;
  readonly byId = new SvelteMap<string, Ask>();
  readonly open = $derived(
    [...this.byId.values()]
      .filter((a) => a.open)
      .sort((a, b) => (a.opened < b.opened ? -1 : a.opened > b.opened ? 1 : 0)),
  );
  readonly closed = $derived([...this.byId.values()].filter((a) => !a.open));

  forJob(jobId: string): Ask[] {
    return this.open.filter((a) => a.data.jobId === jobId);
  }

  load(snapshot: Snapshot): void {
    const asks = snapshot.asks ?? [];
    const ids = new Set(asks.map((a) => a.id));
    // An open question the shop no longer has was answered while this window did not listen.
    for (const ask of this.open) if (!ids.has(ask.id)) this.byId.delete(ask.id);
    for (const data of asks) this.#put(data, data.time ?? '');
  }

  apply(e: Of<(typeof this.kinds)[number]>): void {
    if (e.kind === 'ask.opened') this.#put(e.data, e.time);
    if (e.kind === 'ask.closed') {
      const ask = this.byId.get(e.data.id);
      if (!ask) return;
      ask.choice = e.data.choice || 'closed';
      ask.by = e.data.by;
      ask.via = e.data.via ?? '';
      ask.reason = e.data.reason ?? '';
      ask.closedAt = e.time;
      ask.answering = false;
      for (const old of this.closed.slice(0, -KEPT)) this.byId.delete(old.id);
    }
  }

  /** Answers a question. The digest of what was shown goes with it, so nothing else can be approved by it. */
  async answer(ask: Ask, reply: Omit<AskReply, 'ask' | 'digest'>): Promise<void> {
    ask.answering = true;
    try {
      await api.answer({ ...reply, ask: ask.id, digest: ask.data.digest });
    } finally {
      ask.answering = false;
    }
  }

  /** The lines of a plan that a question shows. */
  plan = (plan: string) => api.filePlan(plan);

  #put(data: AskOpened, time: string): void {
    const known = this.byId.get(data.id);
    if (known) known.update(data);
    else this.byId.set(data.id, new Ask(data, time));
  }
}
