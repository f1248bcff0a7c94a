import { api } from '$lib/api';
import type { Fact, MemoryView } from '$lib/api/types';
import type { Envelope } from '$lib/events';

import { Source } from './source.svelte';

/** What the shop remembers of one chat, and every fact. It follows changes only while somebody looks. */
export class Memory extends Source<MemoryView> {
  readonly kinds = ['memory.changed', 'turn.done'] as const;
  #chat = '';

  /** Shows the memory of a chat; the result ends it. */
  of(chat: string): () => void {
    if (chat !== this.#chat) this.view = undefined;
    this.#chat = chat;
    return this.watch();
  }

  protected async read(): Promise<MemoryView> {
    const view = await api.memory(this.#chat);
    return { ...view, recent: view.recent ?? [], facts: view.facts ?? [] };
  }

  protected override moved(e: Envelope): boolean {
    return e.kind !== 'turn.done' || e.chat === this.#chat;
  }

  editSummary = (text: string): Promise<void> => api.editSummary(this.#chat, text);
  /** Drops the summary of a chat; its messages stay to be seen. */
  forgetChat = (chat: string): Promise<void> => api.forgetChat(chat);
  addFact = (text: string): Promise<Fact> => api.addFact(text);
  editFact = (id: string, text: string): Promise<void> => api.editFact(id, text);
  forgetFact = (id: string): Promise<void> => api.forgetFact(id);
}
