import { api, toApiError, type ApiError } from '$lib/api';
import type { LetterRow } from '$lib/api/types';
import type { Envelope } from '$lib/events';

/** How many of the newest letters are listed. */
export const LISTED = 300;
/** Letters that end close together are asked for once, in ms. */
const TOGETHER = 250;

/** The letters sent to interpreters, newest first. It follows new ones only while somebody looks. */
export class Letters {
  rows = $state.raw<LetterRow[]>([]);
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
      const rows = await api.letters(this.#chat, this.#job, LISTED);
      if (asked !== this.#asked) return;
      this.rows = rows;
      this.error = undefined;
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
    this.loaded = true;
  }

  apply(e: Envelope): void {
    if (e.kind !== 'agent.done' || !this.#watched) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), TOGETHER);
  }
}
