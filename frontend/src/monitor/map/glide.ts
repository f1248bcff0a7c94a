/**
 * Moves smoothly between reports that come once in a while. Each report says where the traveller is and how fast; the
 * glide heads for where the traveller will be when the next report is due, and never jumps or turns back by itself.
 */
export class Glide {
  #from = 0;
  #to = 0;
  #start = 0;
  #end = 0;
  #fresh = true;

  /**
   * Takes a report: how far (0…1), how much of the way passes in a second, and when (ms). `still` goes there at once.
   */
  report(progress: number, perSecond: number, at: number, still = false, intervalMs = 1000): void {
    const here = this.at(at);
    const p = clamp(progress);
    if (this.#fresh || still) {
      this.#from = this.#to = p;
      this.#start = this.#end = at;
      this.#fresh = false;
      if (still) return;
    } else {
      this.#from = here;
    }
    this.#to = clamp(p + Math.max(perSecond, 0) * (intervalMs / 1000));
    this.#start = at;
    this.#end = at + intervalMs;
  }

  /** How far the traveller is at a moment (ms). */
  at(now: number): number {
    if (now >= this.#end || this.#end === this.#start) return this.#to;
    const part = Math.max(0, (now - this.#start) / (this.#end - this.#start));
    return this.#from + (this.#to - this.#from) * part;
  }

  /** Whether something still moves at a moment (ms). */
  moving(now: number): boolean {
    return now < this.#end && this.#from !== this.#to;
  }

  /** Forgets the journey, for the next one. */
  reset(): void {
    this.#fresh = true;
    this.#from = this.#to = this.#start = this.#end = 0;
  }
}

const clamp = (value: number) => Math.min(Math.max(Number.isFinite(value) ? value : 0, 0), 1);
