import { api } from '$lib/api';
import type { Argument, ChatMessage, Favourite, FavouritesView } from '$lib/api/types';
import type { Envelope } from '$lib/events';

import { Source } from './source.svelte';

/** The favourite orders, and those that can be taken back. Once the list was wanted it follows what changes. */
export class Favourites extends Source<FavouritesView> {
  /** What is asked for a blank is in the language of the window. */
  readonly kinds = ['favourites.changed', 'config.changed'] as const;

  protected read = (): Promise<FavouritesView> => api.favourites();

  protected override moved(e: Envelope): boolean {
    return e.kind !== 'config.changed' || 'lang' in (e.data.changed ?? {});
  }

  get list(): readonly Favourite[] {
    return this.view?.favourites ?? [];
  }

  /** Has the list ready for who completes a name; it stays up to date from then on. */
  want(): void {
    if (!this.view) void this.load();
  }

  /** One of them, also when the list was not wanted yet. */
  async find(id: string): Promise<Favourite | undefined> {
    if (!this.view) await this.load();
    return this.list.find((f) => f.id === id);
  }

  /** Keeps words under a name, or with an id changes one. `was` says what stood in a blank. */
  keep = (
    id: string,
    name: string,
    text: string,
    was: Record<string, string>,
  ): Promise<Favourite> => this.after(api.keepFavourite(id, name, text, was));
  remove = (id: string): Promise<void> => this.after(api.deleteFavourite(id));
  restore = (id: string): Promise<void> => this.after(api.restoreFavourite(id));
  /** Says one in a chat; `words` are what was made of its text, '' for that text itself. */
  run = (chat: string, id: string, words: string): Promise<ChatMessage> =>
    api.runFavourite(chat, id, words);
  /** Says one with when it shall be done again and again. */
  schedule = (chat: string, id: string, when: string): Promise<ChatMessage> =>
    api.scheduleFavourite(chat, id, when);
  /** What of a text could be a blank. */
  arguments = (text: string): Promise<Argument[]> => api.favouriteArguments(text);
}
