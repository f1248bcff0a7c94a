import { api } from '$lib/api';
import type { Guest, GuestsView } from '$lib/api/types';

import { Source } from './source.svelte';

/** What a person sets of a program that may use the shop's tools. */
export type GuestDraft = Pick<
  Guest,
  'id' | 'name' | 'tools' | 'calls' | 'changes' | 'files' | 'money'
>;

const whole = (draft: GuestDraft) => ({ ...draft, created: new Date(0).toISOString() });

/** The programs that may use the shop's tools. */
export class Guests extends Source<GuestsView> {
  readonly kinds = ['guests.changed', 'config.changed'] as const;

  protected async read(): Promise<GuestsView> {
    const view = await api.guests();
    return { ...view, guests: view.guests ?? [], tools: view.tools ?? [] };
  }

  /** Lets everything in that has a key, or nothing. */
  open = (on: boolean): Promise<void> => this.after(api.setSettings({ 'guests.open': on }));
  /** Lets a program in and gives its key, which can be seen this once. */
  async add(draft: GuestDraft): Promise<string> {
    const { key } = await api.addGuest(whole(draft));
    await this.load();
    return key;
  }
  change = (draft: GuestDraft): Promise<void> => this.after(api.changeGuest(whole(draft)));
  remove = (id: string): Promise<void> => this.after(api.removeGuest(id));
}
