import { api } from '$lib/api';
import type { Backup } from '$lib/api/types';

import { Source } from './source.svelte';

/** The copies of everything, the newest first. */
export class Backups extends Source<Backup[]> {
  readonly kinds = [] as const;

  protected read(): Promise<Backup[]> {
    return api.backups();
  }

  now = (): Promise<Backup> => this.after(api.backupNow());
  /** Takes the place of everything at the next start. */
  restore = (name: string): Promise<void> => api.restoreBackup(name);
  /** Asks where to and writes a copy there; '' when the person changed their mind. */
  export = (title: string): Promise<string> => api.exportBackup(title);
}
