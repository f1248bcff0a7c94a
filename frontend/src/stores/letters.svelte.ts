import { api, toApiError, type ApiError } from '$lib/api';
import type { LetterDetail, LetterRow, ReadingRow, Reliability } from '$lib/api/types';
import type { Of } from '$lib/events';

/** How many of the newest letters are listed. */
export const LISTED = 300;
/** Letters that end close together are asked for once, in ms. */
const TOGETHER = 250;

/** The letters sent to interpreters, and how the messages were read, newest first. It follows new ones only while somebody looks. */
export class Letters {
  readonly kinds = ['agent.done', 'turn.done'] as const;
  rows = $state.raw<LetterRow[]>([]);
  readings = $state.raw<ReadingRow[]>([]);
  /** How often readings were right, by how sure they were. */
  reliability = $state.raw<Reliability[]>([]);
  loaded = $state(false);
  /** Why the letters could not be read, while that is so. */
  error = $state.raw<ApiError>();

  #chat = '';
  #job = '';
  #watched = false;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows the letters of a chat, of a job, or all; the result ends it. */
  watch(chat = '', job = ''): () => void {
    if (chat !== this.#chat || job !== this.#job) this.loaded = false;
    this.#chat = chat;
    this.#job = job;
    this.#watched = true;
    void this.load();
    return () => {
      this.#watched = false;
      clearTimeout(this.#timer);
    };
  }

  async load(): Promise<void> {
    // An answer that comes after a newer question is of no use.
    const asked = ++this.#asked;
    try {
      const [rows, read] = await Promise.all([
        api.letters(this.#chat, this.#job, LISTED),
        api.readings(this.#chat, LISTED),
      ]);
      if (asked !== this.#asked) return;
      this.rows = rows;
      this.readings = read.readings;
      this.reliability = read.reliability;
      this.error = undefined;
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
    this.loaded = true;
  }

  /** The newest letters, whatever is listed. */
  newest = (limit: number, chat = '', job = ''): Promise<LetterRow[]> =>
    api.letters(chat, job, limit);

  /** One letter whole. */
  whole = (id: string): Promise<LetterDetail> => api.letter(id);

  /** Sends the same letter again to whoever interprets now, and gives the new one. */
  replay = (id: string): Promise<LetterDetail> => api.replayLetter(id);

  apply(e: Of<(typeof this.kinds)[number]>): void {
    if (!(e.kind === 'agent.done' || e.kind === 'turn.done') || !this.#watched) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), TOGETHER);
  }
}
