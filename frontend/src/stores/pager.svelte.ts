import { api } from '$lib/api';
import type { PagerInvitation, PagerView } from '$lib/api/types';

import { Source } from './source.svelte';

/** The phones that may look at what waits and runs, and answer. */
export class Pager extends Source<PagerView> {
  readonly kinds = ['pager.changed', 'config.changed'] as const;

  protected async read(): Promise<PagerView> {
    const view = await api.pager();
    return { ...view, phones: view.phones ?? [] };
  }

  /** Makes what one phone is paired with, once and soon. */
  invite = (): Promise<PagerInvitation> => api.invitePhone();
  /** Voids it, if no phone has used it. */
  uninvite = (): Promise<void> => api.uninvitePhone();
  unpair = (id: string): Promise<void> => this.after(api.removePhone(id));
}
