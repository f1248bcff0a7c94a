import { onDestroy } from 'svelte';

import { attempt } from '$stores/toasts.svelte';

/** A code that is on show: once it is not shown any more it pairs nobody, and one that is over is not shown. */
export class Invited<I extends { readonly until: string }> {
  invitation = $state.raw<I>();

  #uninvite: () => Promise<unknown>;

  /** Belongs to the component that makes it. */
  constructor(uninvite: () => Promise<unknown>) {
    this.#uninvite = uninvite;
    $effect(() => {
      if (!this.invitation) return;
      const left = Date.parse(this.invitation.until) - Date.now();
      const over = setTimeout(() => (this.invitation = undefined), left);
      return () => clearTimeout(over);
    });
    onDestroy(() => {
      if (this.invitation) void this.putAway();
    });
  }

  async putAway(): Promise<void> {
    this.invitation = undefined;
    await attempt(this.#uninvite);
  }
}
