import { SvelteMap } from 'svelte/reactivity';

import type { ServiceView, Snapshot } from '$lib/api/types';
import type { Of } from '$lib/events';

/** Stages after which a visit to the counter is over. */
const OVER = new Set(['', 'EXECUTED', 'FAILED', 'CANCELLED', 'UNSUPPORTED']);

/** What stands open at the service counter of each chat. */
export class Counter {
  readonly kinds = ['turn.done'] as const;
  readonly #open = new SvelteMap<string, ServiceView[]>();

  /** By chat, the mark of the confirmation that has been in sight long enough to be read. */
  readonly #read = new Map<string, string>();

  /** Notes what a chat's form has in sight to confirm; '' for nothing. */
  read(chat: string, mark: string): void {
    this.#read.set(chat, mark);
  }

  /** What a typed yes confirms in a chat. */
  seen(chat: string): string {
    return this.#read.get(chat) ?? '';
  }

  /** The visits of a chat; the one that is talked about comes first. */
  of(chat: string): ServiceView[] {
    return this.#open.get(chat) ?? [];
  }

  /** The visit that is talked about in each chat where one is. */
  get all(): ServiceView[] {
    return [...this.#open.values()].flatMap((visits) => visits.slice(0, 1));
  }

  load(snapshot: Snapshot): void {
    this.#open.clear();
    for (const view of snapshot.service ?? []) this.#add(whole(view));
  }

  #add(view: ServiceView): void {
    const others = this.of(view.chat).filter((v) => v.service !== view.service);
    this.#open.set(view.chat, [view, ...others]);
  }

  apply(e: Of<(typeof this.kinds)[number]>): void {
    if (e.kind !== 'turn.done' || !e.chat) return;
    const { stage, meta } = e.data.state;
    const view = meta?.view as ServiceView | undefined;
    if (view && !OVER.has(view.stage)) return this.#add(whole(view));
    if (!stage) return;
    // The visit that was talked about is over; those that wait below it stay.
    const ended = (meta?.service as string | undefined) ?? this.of(e.chat)[0]?.service;
    const rest = this.of(e.chat).filter((v) => v.service !== ended);
    if (rest.length) this.#open.set(e.chat, rest);
    else this.#open.delete(e.chat);
  }
}

// Go encodes an empty list as null.
const whole = (view: ServiceView): ServiceView => ({
  ...view,
  slots: view.slots ?? [],
  buttons: view.buttons ?? [],
});
