import { MediaQuery } from 'svelte/reactivity';

const NARROW = 53.75;

/** How large letters are in this browser before anybody chose in the program, in px: what the system or a person set there counts. */
function standard(): number {
  const root = document.documentElement;
  const now = parseFloat(getComputedStyle(root).fontSize) || 16;
  return (now * 100) / (parseFloat(root.style.fontSize) || 100);
}

/** How large letters are, in percent, and how wide the window is for such letters. What a stylesheet asks of the window's size it asks of `body` (`@container window`), which counts in rem as well. */
class Scale {
  percent = $state(100);
  #standard = standard();

  /** One rem, in px. */
  readonly rem = $derived((this.#standard * this.percent) / 100);
  readonly #narrow = $derived(new MediaQuery(`max-width: ${NARROW * this.rem}px`));

  /** So narrow that the side bar lies over the page. */
  get narrow(): boolean {
    return this.#narrow.current;
  }
}

export const scale = new Scale();
