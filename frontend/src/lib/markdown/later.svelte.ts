/** A part that is fetched when it is first needed. Who reads it before it is there reads it anew when it comes. */
export class Later<T> {
  #here = $state.raw<T>();
  #load: () => Promise<T>;
  #asked: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** What was fetched, or undefined while it is on its way. */
  get(): T | undefined {
    if (!this.#here) void this.ready();
    return this.#here;
  }

  ready(): Promise<T> {
    this.#asked ??= this.#load().then((part) => (this.#here = part));
    return this.#asked;
  }
}
