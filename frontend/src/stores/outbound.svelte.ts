import { api } from '$lib/api';
import type { OutboundEntry, OutboundFilter, OutboundState, WebSearch } from '$lib/api/types';
import type { Envelope } from '$lib/events';

import { Pages } from './pages.svelte';
import { Source } from './source.svelte';

/** Whether anything leaves this computer, as the shop says by its switch, by what is under way and by the ledger. */
export class Line extends Source<OutboundState> {
  readonly kinds = ['outbound.changed', 'config.changed', 'mcp.changed'] as const;

  protected async read(): Promise<OutboundState> {
    const state = await api.outboundState();
    return { ...state, unseen: state.unseen ?? [] };
  }

  protected override moved(e: Envelope): boolean {
    return e.kind !== 'config.changed' || 'offline' in (e.data.changed ?? {});
  }
}

/** What left this computer, and what was kept from it. */
export class Outbound extends Pages<OutboundEntry, OutboundFilter> {
  protected readonly size = 50;

  protected page = (filter: OutboundFilter, behind?: OutboundEntry): Promise<OutboundEntry[]> =>
    api.outbound(filter, behind?.n ?? 0, this.size);
}

/** How searching the web is set up. */
export class Search extends Source<WebSearch> {
  readonly kinds = [] as const;

  protected read(): Promise<WebSearch> {
    return api.webSearch();
  }

  /** Sets it up; a key of null stays as it is, '' is forgotten. */
  set = (service: WebSearch['service'], address: string, key: string | null): Promise<void> =>
    this.becomes(api.setWebSearch(service, address, key));
}
