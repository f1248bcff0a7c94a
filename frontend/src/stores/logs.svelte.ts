import type { LogLine } from '$lib/api/types';
import type { Envelope, Of } from '$lib/events';

/** How many lines the window keeps. */
export const LOG_LIMIT = 20_000;

/**
 * The program's own log. Lines live in a plain ring, outside of Svelte's eyes, because ten thousand may come in a second;
 * `version` changes once a batch and tells a view to look again at the few lines it shows.
 */
export class Logs {
  readonly kinds = ['job.log'] as const;
  version = $state(0);
  /** How many lines fell out of the ring: the first kept line's number in the whole run. */
  dropped = $state(0);

  #ring: LogLine[] = [];
  #start = 0;
  /** The number of the newest line of the stream. */
  #last = 0;

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

  /** Takes lines in. Those that are fetched and those that are heard overlap, whichever come first: each is taken once. */
  append(lines: LogLine[]): void {
    if (!lines.length) return;
    for (const line of lines) {
      if (line.seq && line.seq <= this.#last) continue;
      this.#last = line.seq ?? this.#last;
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

  /** What jobs say joins the one log, also while nobody looks at it. */
  apply(e: Of<(typeof this.kinds)[number]>): void {
    const line = lineOf(e);
    if (line) this.append([line]);
  }

  clear(): void {
    this.#ring = [];
    this.#start = 0;
    this.version++;
  }
}

/** A job's log entry as a line of the one log; undefined for any other envelope. */
export function lineOf(e: Envelope): LogLine | undefined {
  if (e.kind !== 'job.log') return undefined;
  const { jobId, level, line, todoId } = e.data;
  const fields = todoId ? { job: jobId, todo: todoId } : { job: jobId };
  return { time: e.time, level, message: line, component: '', fields };
}
