import { api } from '$lib/api';
import type { BranchesView, BranchInvitation } from '$lib/api/types';

import { Source } from './source.svelte';

/** Shops on other machines: those that lend tools to this one, and those that borrow. */
export class Branches extends Source<BranchesView> {
  readonly kinds = ['branches.changed', 'guests.changed', 'config.changed'] as const;

  protected read(): Promise<BranchesView> {
    return api.branches();
  }

  /** Makes what one other shop is paired with. What it may use is chosen with the programs. */
  invite = (): Promise<BranchInvitation> =>
    api.inviteBranch({
      id: '',
      name: '',
      tools: [],
      calls: 100,
      changes: 0,
      files: 0,
      money: 0,
      created: new Date(0).toISOString(),
    });
  /** Voids it, if no shop has used it. */
  uninvite = (): Promise<void> => api.uninviteBranch();
  join = (address: string, code: string): Promise<void> =>
    this.after(api.joinBranch(address, code));
  move = (id: string, address: string): Promise<void> => this.after(api.moveBranch(id, address));
  unpair = (id: string): Promise<void> => this.after(api.removeBranch(id));
}
