/** How long the buttons of a card wait after it appeared or changed: nobody has read it sooner. */
export const GUARD_MS = 500;

/** Watches when a card last changed and says whether its buttons may be pressed yet. */
export class Guard {
  ready = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts the wait anew. */
  restart(): void {
    this.ready = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.ready = true), GUARD_MS);
  }

  dismiss(): void {
    clearTimeout(this.#timer);
  }
}
