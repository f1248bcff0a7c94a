import { api, toApiError } from '$lib/api';
import type { Again, Ticket, TicketFilter } from '$lib/api/types';
import type { Envelope } from '$lib/events';

import { Pages } from './pages.svelte';

/** What changes between two looks at it is looked at together. */
const GATHER_MS = 250;
/** As many jobs are asked about one by one; of more the list is read anew. */
const MOST_CHANGED = 200;

/**
 * All jobs there ever were, as far as a filter wants them. While somebody looks it follows those that change: the shop says which of them
 * the list has then, and as what.
 */
export class Tickets extends Pages<Ticket, TicketFilter> {
  /** How many jobs the filter wants, those that are not fetched among them. */
  total = $state(0);
  readonly kinds = [
    'job.created',
    'job.state',
    'chat.deleted',
    'chat.restored',
    'chat.cut',
  ] as const;

  protected readonly size = 100;

  #watched = false;
  #changed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected async page(filter: TicketFilter, behind?: Ticket): Promise<Ticket[]> {
    const found = await api.tickets(filter, behind?.number ?? 0, this.size);
    this.total = found.total;
    return found.tickets ?? [];
  }

  /** Shows the list, narrowed by a filter if one is given; the result ends that. */
  watch(filter?: TicketFilter): () => void {
    this.#watched = true;
    void this.load(filter);
    return () => {
      this.#watched = false;
      this.#forget();
    };
  }

  /** Looks anew, if somebody looks: events may have been missed. */
  renew(): void {
    if (this.#watched) void this.load();
  }

  apply(e: Envelope): void {
    if (!this.#watched) return;
    if (e.kind === 'job.created' || e.kind === 'job.state') this.#changed.add(e.data.id);
    else return void this.load();
    this.#timer ??= setTimeout(() => void this.#follow(), GATHER_MS);
  }

  /** Writes what the filter wants into a file that the person chooses; '' when they changed their mind. */
  export = (format: 'csv' | 'json', title: string): Promise<string> =>
    api.exportTickets(this.filter, '', format, title);

  /** Says once more what a job came of. What that did outside of the shop is told first, unless they are sure. */
  sayAgain = (job: string, sure: boolean): Promise<Again> => api.sayAgain(job, sure);

  #forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
  }

  /** Has the jobs that changed stand where they stand now. */
  async #follow(): Promise<void> {
    const ids = [...this.#changed];
    this.#forget();
    if (ids.length > MOST_CHANGED) return this.load();
    const current = this.sameLook();
    try {
      const found = await api.tickets({ ...this.filter, ids }, 0, ids.length);
      if (!current()) return;
      this.total = found.total;
      this.#place(ids, found.tickets ?? []);
    } catch (thrown) {
      if (current()) this.error = toApiError(thrown);
    }
  }

  #place(ids: string[], found: Ticket[]): void {
    const oldest = this.complete ? 0 : (this.rows.at(-1)?.number ?? Infinity);
    const gone = new Set(ids);
    this.rows = [
      ...this.rows.filter((t) => !gone.has(t.id)),
      ...found.filter((t) => t.number >= oldest), // what is older comes with its page
    ].sort((a, b) => b.number - a.number);
  }
}
