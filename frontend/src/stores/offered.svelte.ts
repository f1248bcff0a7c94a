import { api } from '$lib/api';
import type { EventsImported, ServiceInfo } from '$lib/api/types';
import { Source } from './source.svelte';

/** What the counter offers, and the files it could not take. They are read when the program opens, so once is enough. */
export class Offered extends Source<ServiceInfo[]> {
  readonly kinds = [] as const;

  protected read(): Promise<ServiceInfo[]> {
    return api.services();
  }

  /** Asks where to and writes the events there; how many, -1 when the person changed their mind. */
  exportEvents = (title: string): Promise<number> => api.exportEvents('', title);

  /** Asks for a calendar file and takes in its events; no text when the person changed their mind. */
  importEvents = (title: string): Promise<EventsImported> => api.importEvents('', title);
}
