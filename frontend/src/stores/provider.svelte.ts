import type { Of } from '$lib/events';
import type { ProviderState, Reason, Snapshot } from '$lib/api/types';

/** What a person is told once about the interpreter: it went away, or it is back. */
export interface ProviderNotice {
  kind: 'away' | 'back';
  provider: string;
  model: string;
  reason?: Reason;
  detail: string;
}

const named = (s: ProviderState): boolean => s.provider !== 'builtin';

/** Which interpreter is wanted, and how it is. */
export class Provider {
  readonly kinds = ['provider.state'] as const;
  state = $state.raw<ProviderState>({ provider: 'builtin', model: '', health: 'starting' });
  /** What should be seen until it is put away or changes. */
  notice = $state.raw<ProviderNotice>();

  /** Whether the choice of the interpreter is left to the shop. */
  auto: () => boolean = () => false;

  /** Who went away and has not come back. */
  #missed: string | undefined;

  /** The built-in interpreter works: it was chosen, or the one that was chosen is away. */
  get builtin(): boolean {
    return !named(this.state) || (this.state.health !== 'ok' && !this.loading);
  }

  /** The model is being read into memory. */
  get loading(): boolean {
    return this.state.health === 'starting' && this.state.reason === 'loading';
  }

  dismiss(): void {
    this.notice = undefined;
  }

  load(snapshot: Snapshot): void {
    if (snapshot.provider) this.#take(snapshot.provider);
  }

  apply(e: Of<(typeof this.kinds)[number]>): void {
    if (e.kind === 'provider.state') this.#take(e.data);
  }

  #take(next: ProviderState): void {
    const before = this.state;
    this.state = next;
    if (named(next)) {
      if (next.health === 'starting') return;
      if (next.health !== 'ok') this.#away(next, before);
      else if (this.#missed === next.provider) this.#back(next);
      return;
    }
    // Left to choose, the shop goes on with the built-in one when the local model goes away. Somebody who chose the
    // built-in one need not be told.
    const there = before.health === 'ok' || before.health === 'starting';
    if (named(before) && there && this.auto()) this.#away({ ...before, health: 'ok' }, next);
    else if (!this.auto()) this.#missed = this.notice = undefined;
  }

  #away(gone: ProviderState, before: ProviderState): void {
    // The same trouble again is no news, also to somebody who has put the notice away.
    if (this.#missed === gone.provider && same(gone, before)) return;
    this.#missed = gone.provider;
    this.notice = {
      kind: 'away',
      provider: gone.provider,
      model: gone.model,
      reason: gone.health === 'ok' ? undefined : gone.reason,
      detail: gone.health === 'ok' ? '' : (gone.detail ?? ''),
    };
  }

  #back(state: ProviderState): void {
    this.#missed = undefined;
    const { provider, model } = state;
    this.notice = { kind: 'back', provider, model, detail: '' };
  }
}

const same = (a: ProviderState, b: ProviderState): boolean =>
  a.provider === b.provider && a.health === b.health && a.reason === b.reason;
