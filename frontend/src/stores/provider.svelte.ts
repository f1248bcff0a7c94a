import type { Envelope } from '$lib/events';
import type { ProviderState, Snapshot } from '$lib/api/types';

/** Who interprets now, and how it is. */
export class Provider {
  state = $state.raw<ProviderState>({ provider: 'builtin', model: '', health: 'starting' });

  get builtin(): boolean {
    return this.state.provider === 'builtin';
  }

  load(snapshot: Snapshot): void {
    if (snapshot.provider) this.state = snapshot.provider;
  }

  apply(e: Envelope): void {
    if (e.kind === 'provider.state') this.state = e.data;
  }
}
