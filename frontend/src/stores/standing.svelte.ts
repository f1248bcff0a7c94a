import { api } from '$lib/api';
import type { MissedRule, StandingDeed, StandingOrder } from '$lib/api/types';
import type { Envelope } from '$lib/events';

import { Source } from './source.svelte';

/** The standing orders, with what became of their last moments. It follows changes only while somebody looks. */
export class Standing extends Source<StandingOrder[]> {
  /** A run goes on by itself after its moment came, and sentences are in the language of the window. */
  readonly kinds = ['standing.changed', 'job.state', 'turn.done', 'config.changed'] as const;

  protected read = (): Promise<StandingOrder[]> => api.standingOrders();

  protected override moved(e: Envelope): boolean {
    if (e.kind === 'standing.changed') return true;
    if (e.kind === 'config.changed') return 'lang' in (e.data.changed ?? {});
    return !!this.view?.length;
  }

  do = (id: string, verb: StandingDeed): Promise<StandingOrder> => api.doStanding(id, verb);
  /** Deletes an order, and gives what `takeBack` takes back. */
  remove = (id: string): Promise<string> => api.removeStanding(id);
  takeBack = (use: string): Promise<void> => api.takeBack(use);
  /** Says anew when an order runs, as far as the words tell. */
  changeTime = (id: string, words: string): Promise<StandingOrder> =>
    api.changeStanding(id, words, '');
  /** Says what becomes of moments that pass unseen. */
  changeMissed = (id: string, missed: MissedRule): Promise<StandingOrder> =>
    api.changeStanding(id, '', missed);
}
