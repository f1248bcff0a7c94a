import { toApiError, type ApiError } from '$lib/api/error';
import type { Envelope, Kind } from '$lib/events';

/** What a page shows. Nothing is asked for before somebody looks; from then on it is read anew whenever it may have changed. */
export abstract class Source<V> {
  view = $state.raw<V>();
  /** Why it could not be read, while that is so. */
  error = $state.raw<ApiError>();
  /** Events that may have changed it. */
  abstract readonly kinds: readonly Kind[];

  #wanted = false;
  #asked = 0;

  /** Asks the shop for it. */
  protected abstract read(): Promise<V>;

  /** Whether an event of those kinds does change it. */
  protected moved(_e: Envelope): boolean {
    return true;
  }

  protected take(view: V): void {
    this.error = undefined;
    this.view = view;
  }

  async load(): Promise<void> {
    this.#wanted = true;
    const asked = ++this.#asked;
    try {
      const view = await this.read();
      if (asked === this.#asked) this.take(view); // else a newer look is under way; an older one must not cover it
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
  }

  /** Shows it; the result ends that. */
  watch(): () => void {
    void this.load();
    return () => (this.#wanted = false);
  }

  apply(e: Envelope): void {
    if (this.#wanted && this.moved(e)) void this.load();
  }

  /** Events that changed it may have been missed. */
  renew(): void {
    if (this.#wanted) void this.load();
  }

  /** Runs an act upon it and reads it anew, whatever came of that. */
  protected async after<T>(act: Promise<T>): Promise<T> {
    try {
      return await act;
    } finally {
      await this.load();
    }
  }

  /** Takes what an act answers as what there is now. */
  protected async becomes(act: Promise<V>): Promise<void> {
    this.#asked++; // what was asked for before is older
    this.take(await act);
  }
}
