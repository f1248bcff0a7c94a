/** The least time between two askings that a server asks for, in ms: some say that they have others whenever they are asked. */
const REST_MS = 3000;

/** What the outside servers have for who types: resources to be read, or prompts to be said. */
export class Had<T> {
  list = $state.raw<readonly T[]>([]);
  readonly #ask: () => Promise<T[]>;
  #asking = false;
  #again = false;
  #askedAt = -Infinity;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: () => Promise<T[]>) {
    this.#ask = ask;
  }

  /** Asks the servers anew; what was known stays until they have answered. What is wanted meanwhile is asked for after that, once. */
  async want(): Promise<void> {
    this.#again = this.#asking;
    if (this.#asking) return;
    this.#asking = true;
    this.#askedAt = Date.now();
    try {
      this.list = await this.#ask();
    } catch {
      // Nothing is offered then, or what was known before.
    } finally {
      this.#asking = false;
    }
    if (this.#again) await this.want();
  }

  /** A server has others now: they are asked for anew while they are `wanted`, and not again before some time has passed. */
  changed(wanted: () => boolean): void {
    if (this.#rest !== undefined || !wanted()) return;
    this.#rest = setTimeout(
      () => {
        this.#rest = undefined;
        if (wanted()) void this.want();
      },
      Math.max(0, this.#askedAt + REST_MS - Date.now()),
    );
  }
}
