import { api, toApiError, type ApiError } from '$lib/api';
import type { DocumentText, LibraryView, event } from '$lib/api/types';
import type { Envelope } from '$lib/events';

/** A place in a document: bytes of its text, as sources name them. */
export interface Place {
  id: string;
  start: number;
  end: number;
}

/** The person's documents as their page shows them. Nothing is asked for before somebody looks. */
export class Library {
  view = $state.raw<LibraryView>();
  /** Why the library could not be read, while that is so. */
  error = $state.raw<ApiError>();
  /** The document that is open, and the place it was opened at. */
  open = $state.raw<DocumentText>();
  place = $state.raw<Place>();
  /** Why the document could not be opened, while that is so. */
  unread = $state.raw<ApiError>();

  #wanted = false;
  #loads = 0;
  #asked = 0;

  async load(): Promise<void> {
    this.#wanted = true;
    const load = ++this.#loads;
    try {
      const view = await api.library();
      if (load !== this.#loads) return; // somebody asked again: what is older says nothing
      this.error = undefined;
      this.view = {
        ...view,
        documents: view.documents ?? [],
        imports: (view.imports ?? []).map(whole),
      };
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
  }

  /** Opens a document, at a place if one is given. */
  async read(id: string, start = 0, end = 0): Promise<void> {
    const asked = ++this.#asked;
    this.place = { id, start, end };
    if (this.open?.document.id !== id) this.open = undefined;
    this.unread = undefined;
    try {
      const text = await api.document(id, 0, 0);
      if (asked !== this.#asked) return;
      this.open = { ...text, articles: text.articles ?? [], passages: text.passages ?? [] };
    } catch (thrown) {
      if (asked === this.#asked) this.unread = toApiError(thrown);
    }
  }

  close(): void {
    this.#asked++;
    this.open = this.place = this.unread = undefined;
  }

  apply(e: Envelope): void {
    if (!this.#wanted) return;
    if (e.kind === 'library.changed') void this.load();
    if (e.kind === 'library.vectors' && this.view) this.view = { ...this.view, vectors: e.data };
    if (e.kind !== 'library.import' || !this.view) return;
    const imports = this.view.imports.filter((i) => i.id !== e.data.id);
    this.view = { ...this.view, imports: [...imports, whole(e.data)] };
    // What is being read right now may be older than this.
    if (e.data.state !== 'running') void this.load();
  }
}

const whole = (i: event.LibraryImport) => ({ ...i, problems: i.problems ?? [] });

const utf8 = new TextEncoder();

/** Cuts a passage into what stands before, in and behind the bytes from `start` to `end` of the document's text. */
export function cut(passage: { start: number; text: string }, start: number, end: number) {
  const at = [start, end].map((byte) => {
    let left = byte - passage.start;
    let chars = 0;
    for (const c of passage.text) {
      if (left <= 0) break;
      left -= utf8.encode(c).length;
      chars += c.length;
    }
    return chars;
  });
  const [from = 0, to = 0] = at;
  return {
    before: passage.text.slice(0, from),
    inside: passage.text.slice(from, to),
    after: passage.text.slice(to),
  };
}
