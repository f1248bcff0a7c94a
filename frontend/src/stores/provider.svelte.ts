import type { Envelope } from '$lib/events';
import type { ProviderState, Snapshot } from '$lib/api/types';

/** Which interpreter is wanted, and how it is. */
export class Provider {
  state = $state.raw<ProviderState>({ provider: 'builtin', model: '', health: 'starting' });

  /** The built-in interpreter works: it was chosen, or the one that was chosen is away. */
  get builtin(): boolean {
    return this.state.provider === 'builtin' || this.state.health !== 'ok';
  }

  /** Why the chosen interpreter is away and what to do, '' when it is not. */
  get away(): string {
    const { provider, health, detail } = this.state;
    return provider !== 'builtin' && health !== 'ok' ? `${provider}: ${detail ?? health}` : '';
  }

  load(snapshot: Snapshot): void {
    if (snapshot.provider) this.state = snapshot.provider;
  }

  apply(e: Envelope): void {
    if (e.kind === 'provider.state') this.state = e.data;
  }
}
