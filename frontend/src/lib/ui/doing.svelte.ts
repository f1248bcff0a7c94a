import { toApiError, type ApiError } from '$lib/api/error';

/** What a form has the shop do: whether it is under way, and why it could not be done. */
export class Doing {
  busy = $state(false);
  error = $state.raw<ApiError>();

  /** True when it was done. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.error = undefined;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = toApiError(thrown);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
