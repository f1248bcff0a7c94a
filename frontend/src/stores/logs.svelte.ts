import type { LogLine } from '$lib/api/types';

/** How many lines the window keeps. */
export const LOG_LIMIT = 20_000;

/**
 * The program's own log. Lines live in a plain ring, outside of Svelte's eyes, because ten thousand may come in a second;
 * `version` changes once a batch and tells a view to look again at the few lines it shows.
 */
export class Logs {
  version = $state(0);
  /** How many lines fell out of the ring: the first kept line's number in the whole run. */
  dropped = $state(0);

  #ring: LogLine[] = [];
  #start = 0;

  get size(): number {
    void this.version;
    return this.#ring.length;
  }

  at(index: number): LogLine | undefined {
    return this.#ring[(this.#start + index) % this.#ring.length];
  }

  /** Kept lines that pass, oldest first. */
  filter(keep: (line: LogLine) => boolean): LogLine[] {
    void this.version;
    const found: LogLine[] = [];
    for (let i = 0; i < this.#ring.length; i++) {
      const line = this.at(i);
      if (line && keep(line)) found.push(line);
    }
    return found;
  }

  append(lines: LogLine[]): void {
    if (!lines.length) return;
    for (const line of lines) {
      if (this.#ring.length < LOG_LIMIT) {
        this.#ring.push(line);
      } else {
        this.#ring[this.#start] = line;
        this.#start = (this.#start + 1) % LOG_LIMIT;
        this.dropped++;
      }
    }
    this.version++;
  }

  clear(): void {
    this.#ring = [];
    this.#start = 0;
    this.version++;
  }
}
