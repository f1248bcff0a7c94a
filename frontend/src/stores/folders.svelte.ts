import { api } from '$lib/api';
import type { FoldersView } from '$lib/api/types';

import { Source } from './source.svelte';

/** The folders that the file tools may enter. */
export class Folders extends Source<FoldersView> {
  readonly kinds = ['config.changed', 'job.state'] as const; // a job may have thrown something away

  protected read(): Promise<FoldersView> {
    return whole(api.folders());
  }

  /** Without a path the system's dialog asks for one, with title above it. */
  open = (path: string, write: boolean, title: string): Promise<void> =>
    this.becomes(whole(api.openFolder(path, write, title)));
  close = (path: string): Promise<void> => this.becomes(whole(api.closeFolder(path)));
  /** Puts back what was thrown away. */
  restore = (id: string): Promise<void> => this.becomes(whole(api.restoreTrashed(id)));
}

async function whole(asked: Promise<FoldersView>): Promise<FoldersView> {
  const view = await asked;
  return { folders: view.folders ?? [], trashed: view.trashed ?? [] };
}
