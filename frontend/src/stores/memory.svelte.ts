import { api, toApiError, type ApiError } from '$lib/api';
import type { MemoryView } from '$lib/api/types';
import type { Envelope } from '$lib/events';

/** What the shop remembers of one chat, and every fact. It follows changes only while somebody looks. */
export class Memory {
  view = $state.raw<MemoryView>();
  /** Why memory could not be read, while that is so. */
  error = $state.raw<ApiError>();

  #chat = '';
  #watched = false;
  #asked = 0;

  /** Shows the memory of a chat; the result ends it. */
  watch(chat: string): () => void {
    if (chat !== this.#chat) this.view = undefined;
    this.#chat = chat;
    this.#watched = true;
    void this.load();
    return () => (this.#watched = false);
  }

  async load(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const view = await api.memory(this.#chat);
      if (asked !== this.#asked) return;
      this.error = undefined;
      this.view = { ...view, recent: view.recent ?? [], facts: view.facts ?? [] };
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
  }

  apply(e: Envelope): void {
    if (!this.#watched) return;
    const moved = e.kind === 'memory.changed' || (e.kind === 'turn.done' && e.chat === this.#chat);
    if (moved) void this.load();
  }
}
