import { api, toApiError, type ApiError } from '$lib/api';
import type { FoldersView } from '$lib/api/types';
import type { Envelope } from '$lib/events';

/** The folders that the file tools may enter. Nothing is asked for before somebody looks. */
export class Folders {
  view = $state.raw<FoldersView>();
  /** Why they could not be read, while that is so. */
  error = $state.raw<ApiError>();

  #wanted = false;
  #asked = 0;

  async load(): Promise<void> {
    this.#wanted = true;
    await this.#take(() => api.folders());
  }

  /** Opens, closes or puts back, and shows what there is then. An error is thrown. */
  async change(run: () => Promise<FoldersView>): Promise<void> {
    this.#asked++; // what was asked for before is older
    this.view = whole(await run());
  }

  async #take(run: () => Promise<FoldersView>): Promise<void> {
    const asked = ++this.#asked;
    try {
      const view = await run();
      if (asked !== this.#asked) return; // a newer look is under way
      this.error = undefined;
      this.view = whole(view);
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
  }

  apply(e: Envelope): void {
    const thrown = e.kind === 'job.state'; // a job may have thrown something away
    if ((e.kind === 'config.changed' || thrown) && this.#wanted) void this.load();
  }
}

const whole = (view: FoldersView): FoldersView => ({
  folders: view.folders ?? [],
  trashed: view.trashed ?? [],
});
