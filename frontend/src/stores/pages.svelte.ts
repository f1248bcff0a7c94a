import { toApiError, type ApiError } from '$lib/api/error';

/** A list that is fetched a page at a time, newest first, as far back as somebody has scrolled. */
export abstract class Pages<R, F extends object> {
  rows = $state.raw<R[]>([]);
  filter = $state.raw<F>({} as F);
  /** The first look is through. */
  ready = $state(false);
  /** The oldest row there is has been fetched. */
  complete = $state(false);
  /** Why it could not be read, while that is so. */
  error = $state.raw<ApiError>();

  /** How many rows are fetched at once. */
  protected abstract readonly size: number;

  #asked = 0;
  #fetching = false;

  /** Asks for the rows behind one, or for the newest. */
  protected abstract page(filter: F, behind: R | undefined): Promise<R[]>;

  /** Looks anew, with another filter if one is given. */
  async load(filter: F = this.filter): Promise<void> {
    this.filter = filter;
    await this.#fetch(undefined);
  }

  /** Looks anew at everything. */
  clear = (): Promise<void> => this.load({} as F);

  /** Fetches the rows behind the oldest that is here. */
  async more(): Promise<void> {
    const last = this.rows.at(-1);
    if (last && !this.complete && !this.#fetching) await this.#fetch(last);
  }

  /** Whether no other look was begun since the result was asked for. */
  protected sameLook(): () => boolean {
    const asked = this.#asked;
    return () => asked === this.#asked;
  }

  async #fetch(behind: R | undefined): Promise<void> {
    this.#asked++;
    const current = this.sameLook(); // else another filter was chosen meanwhile
    this.#fetching = true;
    try {
      const found = await this.page(this.filter, behind);
      if (!current()) return;
      this.rows = behind ? [...this.rows, ...found] : found;
      this.complete = found.length < this.size;
      this.error = undefined;
      this.ready = true;
    } catch (thrown) {
      if (current()) this.error = toApiError(thrown);
    } finally {
      if (current()) this.#fetching = false;
    }
  }
}
