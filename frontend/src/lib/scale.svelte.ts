/** How large letters are in every browser before anybody chose, in px. */
const LETTER = 16;
const NARROW = 53.75;

/** How large letters are, in percent, and how wide the window is for such letters. What a stylesheet asks of the window's size it asks of `body` (`@container window`), which counts in rem as well. */
class Scale {
  percent = $state(100);
  #width = $state(innerWidth);

  constructor() {
    addEventListener('resize', () => (this.#width = innerWidth));
  }

  /** One rem, in px. */
  readonly rem = $derived((LETTER * this.percent) / 100);
  /** So narrow that the side bar lies over the page. */
  readonly narrow = $derived(this.#width <= NARROW * this.rem);
}

export const scale = new Scale();
