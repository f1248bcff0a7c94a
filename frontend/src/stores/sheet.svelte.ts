import { api } from '$lib/api';
import type { SheetView } from '$lib/api/types';
import type { Envelope } from '$lib/events';

import type { Ask } from './asks.svelte';
import { Source } from './source.svelte';

/** How long what happens is gathered before the sheet is read anew. */
export const GATHER_MS = 150;

/** What happened while nobody was there. It is read when somebody comes back, and anew while something of it still moves or its page is open. */
export class Sheet extends Source<SheetView> {
  readonly kinds = [
    'standing.changed',
    'ask.opened',
    'ask.closed',
    'job.state',
    'turn.done',
  ] as const;
  /** Its page is open. */
  open = false;
  /** Something of it waits, failed or was missed that nobody has looked at. */
  readonly fresh = $derived(this.view?.fresh ?? false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected read = (): Promise<SheetView> => api.sheet();

  protected override moved(e: Envelope): boolean {
    if (e.kind === 'standing.changed') return true;
    return this.open || this.fresh || !!this.view?.going.length;
  }

  override apply(e: Envelope): void {
    if (this.#timer !== undefined || !this.moved(e)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      super.apply(e);
    }, GATHER_MS);
  }

  /** Says whether somebody is there: the window is in sight. */
  async present(is: boolean): Promise<void> {
    try {
      await api.present(is);
    } catch {
      return; // a shop that could not be opened says so itself
    }
    if (is) await this.load();
  }

  /** Says that a person has looked at it. */
  looked = (): Promise<void> => this.after(api.lookedAtSheet());

  /** Approves several questions this once, each as it was shown, and gives for those that were not approved why. */
  async approve(asks: Ask[]): Promise<Map<string, string>> {
    for (const ask of asks) ask.answering = true;
    try {
      const answers = await api.approve(
        asks.map((ask) => ({ ask: ask.id, choice: 'approve', digest: ask.data.digest })),
      );
      return new Map(answers.flatMap((a) => (a.error ? [[a.ask, a.error.message]] : [])));
    } finally {
      for (const ask of asks) ask.answering = false;
    }
  }
}
