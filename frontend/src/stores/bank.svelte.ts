import { api } from '$lib/api';
import type { BankLine, BankView, Payee } from '$lib/api/types';

import { Source } from './source.svelte';

/** How many lines of the statement are fetched at once. */
const PAGE = 50;

/** The practice bank as its page shows it. */
export class Bank extends Source<BankView> {
  readonly kinds = ['bank.changed'] as const;
  /** Lines of the statement that are older than those in the view. */
  older = $state.raw<BankLine[]>([]);
  /** The first line there ever was is here. */
  complete = $state(false);

  protected async read(): Promise<BankView> {
    const view = await api.bank();
    return {
      ...view,
      accounts: view.accounts ?? [],
      statement: view.statement ?? [],
      scheduled: view.scheduled ?? [],
      payees: (view.payees ?? []).map((p) => ({ ...p, aliases: p.aliases ?? [] })),
    };
  }

  protected override take(view: BankView): void {
    super.take(view);
    this.older = [];
    this.complete = view.statement.length < PAGE;
  }

  /** Fetches the lines before the oldest one that is here. */
  async more(): Promise<void> {
    const last = this.older.at(-1) ?? this.view?.statement.at(-1);
    if (!last) return;
    const found = await api.statement(last.id, PAGE);
    this.older = [...this.older, ...found];
    this.complete = found.length < PAGE;
  }

  callOff = (scheduled: string): Promise<void> => this.after(api.cancelScheduled(scheduled));
  /** Has a transfer wait for its day again that was called off. */
  restore = (scheduled: string): Promise<void> => this.after(api.restoreScheduled(scheduled));
  savePayee = (payee: Payee): Promise<Payee> => this.after(api.savePayee(payee));
  removePayee = (id: string): Promise<void> => this.after(api.deletePayee(id));
  /** Puts practice money into the account, in won. */
  deposit = (amount: number): Promise<void> => api.deposit(amount);
}
