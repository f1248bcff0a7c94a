import { toApiError, type ApiError } from '$lib/api';
import { shop } from './shop.svelte';

/** Whether the program begins with the session. The system keeps it, so it is looked up there and nowhere else. */
export class AtLogin {
  on = $state(false);
  busy = $state(true);
  error = $state.raw<ApiError>();

  look(): Promise<void> {
    return this.#do(() => Promise.resolve());
  }

  set(on: boolean): Promise<void> {
    return this.#do(() => shop.setStartsAtLogin(on));
  }

  async #do(act: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.error = undefined;
    try {
      await act();
      this.on = await shop.startsAtLogin();
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
    this.busy = false;
  }
}
