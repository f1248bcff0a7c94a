import { api, toApiError, type ApiError } from '$lib/api';
import type { BankLine, BankView } from '$lib/api/types';
import type { Envelope } from '$lib/events';

/** How many lines of the statement are fetched at once. */
const PAGE = 50;

/** The practice bank as its page shows it. Nothing is asked for before somebody looks. */
export class Bank {
  view = $state.raw<BankView>();
  /** Why the books could not be read, while that is so. */
  error = $state.raw<ApiError>();
  /** Lines of the statement that are older than those in the view. */
  older = $state.raw<BankLine[]>([]);
  /** The first line there ever was is here. */
  complete = $state(false);

  #wanted = false;

  async load(): Promise<void> {
    this.#wanted = true;
    try {
      const view = await api.bank();
      this.error = undefined;
      this.view = {
        ...view,
        accounts: view.accounts ?? [],
        statement: view.statement ?? [],
        scheduled: view.scheduled ?? [],
        payees: (view.payees ?? []).map((p) => ({ ...p, aliases: p.aliases ?? [] })),
      };
      this.older = [];
      this.complete = this.view.statement.length < PAGE;
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
  }

  /** Fetches the lines before the oldest one that is here. */
  async more(): Promise<void> {
    const last = this.older.at(-1) ?? this.view?.statement.at(-1);
    if (!last) return;
    const found = await api.statement(last.id, PAGE);
    this.older = [...this.older, ...found];
    this.complete = found.length < PAGE;
  }

  apply(e: Envelope): void {
    if (e.kind === 'bank.changed' && this.#wanted) void this.load();
  }
}
