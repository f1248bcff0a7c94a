// Enter sends, in any language. With an input method the Enter that sends is also the one that commits the last
// syllable, and engines tell of the two in different orders:
//
//   1. compositionend, keydown     the syllable is in the box already: send at once
//   2. keydown, compositionend     remember that Enter was pressed, send when the syllable is in the box
//   3. keydown 229, input          the input method never speaks of a composition: send when the syllable is in the box
//
// Whatever comes, one press sends once: sending empties the box, and an empty box is not sent.

/** The keyCode of a key that an input method has taken. */
const TAKEN = 229;
/** How long a syllable may take to arrive after its Enter when no composition was announced. */
const ARRIVAL_MS = 60;

/** Sends what a text box holds when Enter is pressed, never half a syllable and never twice. */
export class ImeSender {
  #box: HTMLTextAreaElement;
  #send: () => void;
  #composing = false;
  #pending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(box: HTMLTextAreaElement, send: () => void) {
    this.#box = box;
    this.#send = send;
  }

  /** Starts listening; the result stops it. */
  listen(): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    this.#box.addEventListener('keydown', (e) => this.#keydown(e), { signal });
    this.#box.addEventListener('beforeinput', (e) => this.#beforeInput(e), { signal });
    this.#box.addEventListener('input', () => this.#input(), { signal });
    this.#box.addEventListener('compositionstart', () => (this.#composing = true), { signal });
    this.#box.addEventListener('compositionend', () => this.#compositionEnd(), { signal });
    return () => {
      clearTimeout(this.#timer);
      stop.abort();
    };
  }

  #keydown(e: KeyboardEvent): void {
    if (e.key !== 'Enter' && e.code !== 'Enter' && e.code !== 'NumpadEnter') return;
    if (e.shiftKey || e.altKey) return;
    if (this.#composing || e.isComposing) {
      this.#pending = true;
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else tells it
    } else if (e.keyCode === TAKEN) {
      this.#pending = true;
      this.#soon(ARRIVAL_MS);
    } else {
      e.preventDefault();
      this.#flush();
    }
  }

  /** The Enter that sends must not also break the line. */
  #beforeInput(e: InputEvent): void {
    const breaks = e.inputType === 'insertLineBreak' || e.inputType === 'insertParagraph';
    if (this.#pending && breaks) e.preventDefault();
  }

  #compositionEnd(): void {
    this.#composing = false;
    // The box gets its last input event after this one in some engines.
    if (this.#pending) this.#soon(0);
  }

  #input(): void {
    if (this.#pending && !this.#composing) this.#soon(0);
  }

  #soon(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), ms);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#pending = false;
    this.#send();
  }
}
