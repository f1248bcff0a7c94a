import { api, toApiError, type ApiError } from '$lib/api';
import type { NotesView } from '$lib/api/types';
import type { Envelope } from '$lib/events';

/** The person's notes that hold what is sought, and the trash. It follows changes only while somebody looks. */
export class Notes {
  view = $state.raw<NotesView>();
  /** Why the notes could not be read, while that is so. */
  error = $state.raw<ApiError>();
  /** What is sought; '' shows all. */
  query = $state('');

  #watched = false;
  #asked = 0;

  /** Shows the notes; the result ends it. */
  watch(): () => void {
    this.#watched = true;
    void this.load();
    return () => (this.#watched = false);
  }

  async load(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const view = await api.notes(this.query.trim());
      if (asked !== this.#asked) return; // somebody typed on: what is older says nothing
      this.error = undefined;
      this.view = { ...view, notes: view.notes ?? [], trash: view.trash ?? [] };
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
  }

  seek(query: string): void {
    this.query = query;
    void this.load();
  }

  apply(e: Envelope): void {
    if (this.#watched && e.kind === 'notes.changed') void this.load();
  }
}
