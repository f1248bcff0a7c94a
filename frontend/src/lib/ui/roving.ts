const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Goes through a row of buttons by arrow keys, Home and End, round its ends: the button that a key leads to gets the focus and
 * is given to `arrive`.
 */
export function roving(arrive: (button: HTMLElement) => void) {
  return (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > button')];
    const at = buttons.findIndex((button) => button.tabIndex === 0);
    const step = steps[event.key];
    const to = step ? (at + step) % buttons.length : { Home: 0, End: -1 }[event.key];
    const next = to === undefined ? undefined : buttons.at(to);
    if (!next) return;
    event.preventDefault();
    arrive(next);
    next.focus();
  };
}
