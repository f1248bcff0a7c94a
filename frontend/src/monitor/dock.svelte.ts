const KEEP = 'agentchat.dock';

/** The least height of the open dock below its bar, in rem. */
export const LOWEST = 7;
/** How high it is by itself, as a part of the window, and at most, in rem. */
const SHARE = 0.25;
const ENOUGH = 20;
/** What the board, the bar and the edges take, in rem. */
const AROUND = 5.25;
/** The most of the window that may go to what is not the conversation. */
const MOST = 0.4;

/**
 * Whether the dock is open, and how high. What plays shows as a bar; the dock opens when a person opens it, which is
 * remembered, and makes room for a question. Heights are in pixels.
 */
export class Dock {
  /** A person opened it. */
  wanted = $state(false);
  /** A question took its room. */
  folded = $state(false);
  /** The height a person gave it; 0: none. */
  given = $state(0);
  /** The Monitor fills the window. */
  large = $state(false);
  /** What one rem is here. */
  rem = $state(16);

  constructor() {
    const [wish, height] = (localStorage.getItem(KEEP) ?? '').split(' ');
    this.wanted = wish === 'open';
    this.given = Math.max(Number.parseInt(height ?? '', 10) || 0, 0);
  }

  isOpen(playing: boolean): boolean {
    return playing && this.wanted && !this.folded;
  }

  /** Opens or closes it, as the person asks. */
  toggle(playing: boolean): void {
    this.wanted = !this.isOpen(playing);
    this.folded = false;
    if (!this.wanted) this.large = false;
    this.#keep();
  }

  /** Makes room for a question. */
  fold(): void {
    this.folded = true;
    this.large = false;
  }

  get lowest(): number {
    return LOWEST * this.rem;
  }

  highest(windowHeight: number): number {
    return Math.max(Math.round(windowHeight * MOST - AROUND * this.rem), this.lowest);
  }

  height(windowHeight: number): number {
    const wanted = this.given || Math.min(windowHeight * SHARE, ENOUGH * this.rem);
    return Math.round(Math.min(Math.max(wanted, this.lowest), this.highest(windowHeight)));
  }

  /** Gives it a height; 0 leaves it to itself again. */
  resize(height: number): void {
    this.given = height && Math.max(Math.round(height), this.lowest);
    this.#keep();
  }

  #keep(): void {
    localStorage.setItem(KEEP, `${this.wanted ? 'open' : 'closed'} ${this.given}`);
  }
}
