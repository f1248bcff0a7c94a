import { Doing } from '$lib/ui/doing.svelte';
import { shop } from '$stores/shop.svelte';

const SHOWN_MS = 2000;

/** One change of settings under way: what came of it is shown beside the control that made it. */
export class Change extends Doing {
  /** True for a moment after a change was kept. */
  kept = $state(false);

  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Sets values; null puts a setting back to its default. True when the shop took them. */
  set(values: Record<string, unknown>): Promise<boolean> {
    return this.run(async () => {
      await shop.settings.set(values);
      // Where a value comes from, and its default, only the whole list tells.
      await shop.settings.load();
      this.kept = true;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => (this.kept = false), SHOWN_MS);
    });
  }
}
