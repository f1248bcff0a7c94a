/** What the outside servers have for who types: resources to be read, or prompts to be said. */
export class Had<T> {
  list = $state.raw<readonly T[]>([]);
  readonly #ask: () => Promise<T[]>;
  #asking = false;
  #again = false;

  constructor(ask: () => Promise<T[]>) {
    this.#ask = ask;
  }

  /** Asks the servers anew; what was known stays until they have answered. What is wanted meanwhile is asked for after that, once. */
  async want(): Promise<void> {
    this.#again = this.#asking;
    if (this.#asking) return;
    this.#asking = true;
    try {
      this.list = await this.#ask();
    } catch {
      // Nothing is offered then, or what was known before.
    } finally {
      this.#asking = false;
    }
    if (this.#again) await this.want();
  }
}
