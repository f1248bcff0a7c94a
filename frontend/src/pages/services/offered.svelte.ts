import { api } from '$lib/api';
import type { ServiceInfo } from '$lib/api/types';
import { Source } from '$stores/source.svelte';

/** What the counter offers, and the files it could not take. They are read when the program opens, so once is enough. */
export class Offered extends Source<ServiceInfo[]> {
  readonly kinds = [] as const;

  protected read(): Promise<ServiceInfo[]> {
    return api.services();
  }
}
