import { api } from '$lib/api';
import type { Backup, BackupFile, ChatsFound, ChatsImported } from '$lib/api/types';

import { Source } from './source.svelte';

interface Kept {
  list: Backup[];
  /** A backup takes the place of everything at the next start. */
  restoring: boolean;
}

/** The copies of everything, the newest first. */
export class Backups extends Source<Kept> {
  readonly kinds = [] as const;

  protected async read(): Promise<Kept> {
    const [list, restoring] = await Promise.all([api.backups(), api.restoring()]);
    return { list, restoring };
  }

  now = (): Promise<Backup> => this.after(api.backupNow());
  /** Takes the place of everything at the next start. */
  restore = (name: string): Promise<void> => this.after(api.restoreBackup(name));
  /** What a file that holds everything would bring; asks for the file where none is given, and is undefined when the person changed their mind. */
  async look(path: string, title: string, what: string): Promise<BackupFile | undefined> {
    const found = await api.lookAtBackup(path, title, what);
    return found.path ? found : undefined;
  }
  /** Has a file that was looked at take the place of everything at the next start. */
  restoreFile = (path: string): Promise<void> => this.after(api.restoreFile(path));
  /** Ends the program, so that the next start does it; the window asks first while something goes on. */
  quit = (): Promise<void> => api.askToQuit();
  /** Leaves everything as it is at the next start after all. */
  callOff = (): Promise<void> => this.after(api.callOffRestore());
  /** Asks where to and writes all conversations there; '' when the person changed their mind. */
  exportChats = (title: string, name: string): Promise<string> =>
    api.export({}, 'zip', '', title, name);
  /** What an export of ChatGPT or Claude would bring in; asks for the file where none is given, and is undefined when the person changed their mind. */
  async lookAtChats(path: string, title: string, what: string): Promise<ChatsFound | undefined> {
    const found = await api.lookAtChats(path, title, what);
    return found.path ? found : undefined;
  }
  /** Brings the conversations of an export in. */
  importChats = (path: string): Promise<ChatsImported> => api.importChats(path);
  /** Asks where to and writes a copy there; '' when the person changed their mind. */
  export = (title: string): Promise<string> => api.exportBackup(title);
}
