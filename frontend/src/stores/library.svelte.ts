import { api, toApiError, type ApiError } from '$lib/api';
import type {
  DocumentText,
  LibraryShelf,
  LibraryView,
  ShelfFile,
  ShelfFilter,
  Snapshot,
  event,
  shelf,
} from '$lib/api/types';
import type { Of } from '$lib/events';

import { Pages } from './pages.svelte';

/** A place in a document: bytes of its text, as sources name them. */
export interface Place {
  id: string;
  start: number;
  end: number;
}

/** The least time between two readings of the library, in ms: documents may come by the hundred. */
const SOON_MS = 250;

/** The person's documents as their page shows them. Nothing is asked for before somebody looks. */
export class Library {
  readonly kinds = [
    'library.import',
    'library.changed',
    'library.vectors',
    'library.shelf',
  ] as const;
  view = $state.raw<LibraryView>();
  /** Imports, oldest first: those under way and the last that ended. */
  imports = $state.raw<event.LibraryImport[]>([]);
  /** Shelves that follow folders, oldest first. */
  shelves = $state.raw<LibraryShelf[]>([]);
  /** Imports that ran while the window looked, or that wait to be gone on with, until they are put away. */
  news = $state.raw<ReadonlySet<string>>(new Set());
  /** Imports that were brought to the chat, until they are put away there. */
  brought = $state.raw<readonly string[]>([]);
  /** Why the library could not be read, while that is so. */
  error = $state.raw<ApiError>();
  /** The document that is open, and the place it was opened at. */
  open = $state.raw<DocumentText>();
  place = $state.raw<Place>();
  /** The message whose source was opened, for the way back. */
  from = $state.raw<string>();
  /** Why the document could not be opened, while that is so. */
  unread = $state.raw<ApiError>();

  #wanted = false;
  #loads = 0;
  #asked = 0;
  #due: ReturnType<typeof setTimeout> | undefined;

  async load(): Promise<void> {
    this.#wanted = true;
    const load = ++this.#loads;
    try {
      const view = await api.library();
      if (load !== this.#loads) return; // somebody asked again: what is older says nothing
      this.error = undefined;
      this.view = { ...view, documents: view.documents ?? [] };
      this.shelves = view.shelves ?? [];
      this.imports = (view.imports ?? []).map(whole);
      this.#note(this.imports.filter((i) => i.state === 'running'));
      this.#note(this.imports.slice(-1).filter((i) => i.state === 'canceled'));
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
  }

  /** What was missed of the stream may have been about the library. */
  renew(): void {
    if (this.#wanted) this.#soon();
  }

  /** Puts files and folders into the library, as one import. */
  async bring(paths: string[], kind = 'mine'): Promise<event.LibraryImport> {
    const brought = whole(await api.importDocuments(paths, kind));
    this.#take(brought, true);
    return brought;
  }

  /** Goes on with an import that was cancelled. */
  async resume(id: string): Promise<void> {
    this.#take(whole(await api.resumeImport(id)), true);
  }

  /** Has a folder followed as a shelf, called as it is. */
  addShelf = (path: string): Promise<LibraryShelf> => api.addShelf(path, '', '');
  /** Gives a shelf another title or rule, or has it follow its folder or not; '' stays. */
  changeShelf = (
    id: string,
    {
      title = '',
      rule = '',
      state = '',
    }: { title?: string; rule?: shelf.Rule | ''; state?: shelf.State | '' },
  ): Promise<LibraryShelf> => api.changeShelf(id, title, rule, state);
  rescan = (id: string): Promise<LibraryShelf> => api.rescanShelf(id);
  /** Takes a shelf away, its documents with it or not. */
  removeShelf = (id: string, documents: boolean): Promise<void> => api.removeShelf(id, documents);
  /** Says what becomes of files that are gone from a shelf's folder: of those that were shown, or of one of them. */
  settle = (of: LibraryShelf, drop: boolean, path = ''): Promise<LibraryShelf> =>
    api.settleShelf(of.id, of.mark ?? '', path, drop);
  reread = (id: string, path: string): Promise<void> => api.rereadShelfFile(id, path);

  /** What the shop knew when the window took it up. */
  begin(snapshot: Snapshot): void {
    this.shelves = snapshot.shelves ?? [];
  }

  cancelImport = (id: string): Promise<void> => api.cancelImport(id);
  /** Says whose a document is: mine or standard. */
  mark = (id: string, kind: string): Promise<void> => api.markDocument(id, kind);
  /** Takes a document out, and gives what brings it back. */
  remove = (id: string): Promise<string> => api.removeDocument(id);
  takeBack = (use: string): Promise<void> => api.takeBack(use);
  /** Asks for files, with a title above the dialog; none when the person changed their mind. */
  chooseFiles = (title: string): Promise<string[]> => api.chooseDocuments(title);
  chooseFolder = (title: string): Promise<string> => api.chooseFolder(title);

  /** Takes an import that ended out of sight, with those that ended before it. */
  putAway(id: string): void {
    const running = this.imports.filter((i) => i.state === 'running').map((i) => i.id);
    this.news = new Set(running);
    this.brought = this.brought.filter((n) => n !== id);
  }

  /** What was brought to the chat and is there needs no more words once one goes on talking. */
  putAwayDone(): void {
    const done = new Set(this.imports.filter((i) => i.state === 'done').map((i) => i.id));
    this.brought = this.brought.filter((id) => !done.has(id));
  }

  /** Opens a document, at a place if one is given; from is the message that names it as a source. */
  async read(id: string, start = 0, end = 0, from?: string): Promise<void> {
    const asked = ++this.#asked;
    this.place = { id, start, end };
    this.from = from;
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
    this.open = this.place = this.unread = this.from = undefined;
  }

  apply(e: Of<(typeof this.kinds)[number]>): void {
    if (e.kind === 'library.import') {
      this.#take(whole(e.data));
      // What is being read right now may be older than this.
      if (e.data.state !== 'running') this.renew();
    }
    if (e.kind === 'library.changed') this.renew();
    if (e.kind === 'library.shelf') this.#shelf(e.data);
    if (e.kind === 'library.vectors' && this.view) this.view = { ...this.view, vectors: e.data };
  }

  #shelf(now: LibraryShelf): void {
    const others = this.shelves.filter((s) => s.id !== now.id);
    if (now.removed) this.shelves = others;
    else if (others.length === this.shelves.length) this.shelves = [...others, now];
    else this.shelves = this.shelves.map((s) => (s.id === now.id ? now : s));
  }

  /** Takes in how an import stands. What a call answers may be older than what the stream has said already. */
  #take(now: event.LibraryImport, answer = false): void {
    const known = this.imports.find((i) => i.id === now.id);
    if (answer && known && (known.state === 'running' || known.state === 'done')) return;
    this.imports = [...this.imports.filter((i) => i.id !== now.id), now];
    this.#note([now]);
  }

  #note(imports: event.LibraryImport[]): void {
    const fresh = imports.filter((i) => !this.news.has(i.id));
    if (fresh.length) this.news = new Set([...this.news, ...fresh.map((i) => i.id)]);
  }

  #soon(): void {
    if (this.#due) return;
    this.#due = setTimeout(() => {
      this.#due = undefined;
      void this.load();
    }, SOON_MS);
  }
}

/** The files of one shelf as its list shows them, by their paths. */
export class ShelfFiles extends Pages<ShelfFile, ShelfFilter> {
  protected readonly size = 100;
  readonly #shelf: string;

  constructor(shelf: string) {
    super();
    this.#shelf = shelf;
  }

  protected page = (filter: ShelfFilter, behind?: ShelfFile): Promise<ShelfFile[]> =>
    api.shelfFiles(this.#shelf, filter, behind?.path ?? '', this.size);
}

const whole = (i: event.LibraryImport) => ({
  ...i,
  problems: i.problems ?? [],
  notes: i.notes ?? [],
});

/** How many bytes a character takes in the document's text, by its code point. */
const width = (code: number) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4);

/** Where the byte `byte` of the document's text stands in a passage, in characters. */
function charAt(passage: { start: number; text: string }, byte: number): number {
  let left = byte - passage.start;
  let chars = 0;
  while (left > 0 && chars < passage.text.length) {
    const code = passage.text.codePointAt(chars) ?? 0;
    left -= width(code);
    chars += code > 0xffff ? 2 : 1;
  }
  return chars;
}

/** Cuts a passage into what stands before, in and behind the bytes from `start` to `end` of the document's text. */
export function cut(passage: { start: number; text: string }, start: number, end: number) {
  const [from, to] = [charAt(passage, start), charAt(passage, end)];
  return {
    before: passage.text.slice(0, from),
    inside: passage.text.slice(from, to),
    after: passage.text.slice(to),
  };
}
