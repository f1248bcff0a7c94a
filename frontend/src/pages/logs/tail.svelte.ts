import { LOG_LIMIT } from '$stores/logs.svelte';

import type { Line } from './line';

/** The ring the lines come from. */
export interface Source {
  readonly size: number;
  readonly dropped: number;
  at(index: number): Line | undefined;
}

/**
 * The lines of the log that pass a test. Only lines that are new since the last look are tested, so it keeps up with
 * thousands a second. Between looks it stands still: that is what pausing is.
 */
export class Tail {
  /** Changes with every look that found something. */
  version = $state(0);

  #lines: Line[] = [];
  #next = 0;
  #keep: (line: Line) => boolean = () => true;

  get length(): number {
    void this.version;
    return this.#lines.length;
  }

  /** Lines from one place to another, oldest first. */
  slice(from: number, to: number): Line[] {
    void this.version;
    return this.#lines.slice(from, to);
  }

  /** Starts over with another test. */
  restart(keep: (line: Line) => boolean, source: Source): void {
    this.#keep = keep;
    this.#lines = [];
    this.#next = source.dropped;
    this.catchUp(source);
    this.version++;
  }

  /** How many lines came since the last look, whether they pass or not. */
  behind(source: Source): number {
    return Math.max(source.dropped + source.size - this.#next, 0);
  }

  catchUp(source: Source): void {
    const end = source.dropped + source.size;
    if (end < this.#next) {
      // The log was cleared.
      this.#lines = [];
      this.#next = source.dropped;
      this.version++;
    }
    const before = this.#lines.length;
    for (let n = Math.max(this.#next, source.dropped); n < end; n++) {
      const line = source.at(n - source.dropped);
      if (line && this.#keep(line)) this.#lines.push(line);
    }
    this.#next = end;
    if (this.#lines.length === before) return;
    if (this.#lines.length > LOG_LIMIT) this.#lines = this.#lines.slice(-LOG_LIMIT);
    this.version++;
  }
}
