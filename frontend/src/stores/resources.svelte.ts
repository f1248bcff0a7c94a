import { api } from '$lib/api';
import type { McpResource } from '$lib/api/types';

/** What the outside servers have to be read, for who names one in a message. */
export class Resources {
  list = $state.raw<readonly McpResource[]>([]);
  #asking = false;

  /** Asks the servers anew; what was known stays until they have answered. */
  async want(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      this.list = await api.resourcesMCP();
    } catch {
      // Nothing is offered then, or what was known before.
    } finally {
      this.#asking = false;
    }
  }
}
