import { api } from '$lib/api';
import type { UpdateView } from '$lib/api/types';

import { Source } from './source.svelte';

/** What is known of newer versions of the program. */
export class Updates extends Source<UpdateView> {
  readonly kinds = ['update.changed'] as const;

  protected read(): Promise<UpdateView> {
    return api.update();
  }

  look = (): Promise<UpdateView> => this.after(api.lookForUpdate());
  fetch = (): Promise<UpdateView> => this.after(api.fetchUpdate());
  open = (): Promise<void> => api.openUpdate();
}
