const KEEP = 'agentchat.dock';

/** The least height of the open dock, in pixels. */
export const LOWEST = 172;
/** How high it is by itself, as a part of the window, and at most. */
const SHARE = 0.315;
const ENOUGH = 320;
/** The most of the window it may be given. */
const MOST = 0.62;

type Wish = 'auto' | 'open' | 'closed';

/**
 * Whether the dock is open, and how high. Left alone it opens when something plays and closes when nothing does; a
 * person who opened or closed it is asked no more. Both are remembered.
 */
export class Dock {
  wish = $state<Wish>('auto');
  /** The height a person gave it; 0: none. */
  given = $state(0);
  /** The Monitor fills the window. */
  large = $state(false);

  constructor() {
    const [wish, height] = (localStorage.getItem(KEEP) ?? '').split(' ');
    if (wish === 'open' || wish === 'closed') this.wish = wish;
    const kept = Number.parseInt(height ?? '', 10);
    if (kept >= LOWEST) this.given = kept;
  }

  isOpen(playing: boolean): boolean {
    return this.wish === 'open' || (this.wish === 'auto' && playing);
  }

  /** Opens or closes it. Wishing what would happen anyway means: left alone. */
  toggle(playing: boolean): void {
    const open = !this.isOpen(playing);
    this.wish = open === playing ? 'auto' : open ? 'open' : 'closed';
    if (!open) this.large = false;
    this.#keep();
  }

  highest(windowHeight: number): number {
    return Math.max(Math.round(windowHeight * MOST), LOWEST);
  }

  height(windowHeight: number): number {
    const wanted = this.given || Math.min(windowHeight * SHARE, ENOUGH);
    return Math.round(Math.min(Math.max(wanted, LOWEST), this.highest(windowHeight)));
  }

  /** Gives it a height; 0 leaves it to itself again. */
  resize(height: number): void {
    this.given = height && Math.max(Math.round(height), LOWEST);
    this.#keep();
  }

  #keep(): void {
    localStorage.setItem(KEEP, `${this.wish} ${this.given}`);
  }
}
