import { api } from '$lib/api';
import type { Note, NotesView } from '$lib/api/types';

import { Source } from './source.svelte';

/** The person's notes that hold what is sought, and the trash. It follows changes only while somebody looks. */
export class Notes extends Source<NotesView> {
  readonly kinds = ['notes.changed'] as const;
  /** What is sought; '' shows all. */
  query = $state('');

  protected async read(): Promise<NotesView> {
    const view = await api.notes(this.query.trim());
    return { ...view, notes: view.notes ?? [], trash: view.trash ?? [] };
  }

  seek(query: string): void {
    this.query = query;
    void this.load();
  }

  add = (text: string): Promise<Note> => api.addNote(text);
  /** Changes a note, if its text still has the hash `base`. */
  edit = (id: string, text: string, base: string): Promise<Note> => api.editNote(id, text, base);
  remove = (id: string): Promise<void> => api.deleteNote(id);
  restore = (id: string): Promise<void> => api.restoreNote(id);
}
