import { api } from '$lib/api';
import type { Backup, BackupFile, ChatsImported } from '$lib/api/types';

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
  /** Asks for a file that holds everything, with a title above and what kind of file it is; undefined when the person changed their mind. */
  async look(title: string, what: string): Promise<BackupFile | undefined> {
    const found = await api.lookAtBackup(title, what);
    return found.path ? found : undefined;
  }
  /** Has a file that was looked at take the place of everything at the next start. */
  restoreFile = (path: string): Promise<void> => api.restoreFile(path);
  /** Asks where to and writes all conversations there; '' when the person changed their mind. */
  exportChats = (title: string, name: string): Promise<string> =>
    api.export({}, 'zip', '', title, name);
  /** Asks for an export of ChatGPT or Claude and brings its conversations in. */
  importChats = (title: string, what: string): Promise<ChatsImported> =>
    api.importChats(title, what);
  /** Asks where to and writes a copy there; '' when the person changed their mind. */
  export = (title: string): Promise<string> => api.exportBackup(title);
}
