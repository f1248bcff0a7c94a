// Who comes back sees first what waits for them: the sheet itself. Who is at something already sees its head, which covers nothing.
import type { SheetView } from '$lib/api/types';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

/** Who touched something so shortly before they were known to be back never went. */
const JUST_MS = 5_000;
/** How long after somebody came back the sheet may still open by itself: what waits may only now come to its question. */
const SETTLED_MS = 30_000;

export class Arrival {
  #until = '';
  #came = -Infinity;
  #touched = -Infinity;

  /** Somebody does something here, or was led to a place by what they clicked elsewhere. */
  touch = (): void => void (this.#touched = performance.now());

  /** Whether what waits is to be shown whole now: once for each time somebody comes back. */
  opens(sheet: SheetView): boolean {
    const now = performance.now();
    const until = sheet.until ?? '';
    if (until !== this.#until) [this.#until, this.#came] = [until, now];
    if (!until || !sheet.fresh || now - this.#came > SETTLED_MS || this.#busy()) return false;
    this.#came = -Infinity;
    return true;
  }

  #busy(): boolean {
    return (
      this.#touched > this.#came - JUST_MS ||
      !!view.drafts[shop.chats.currentId] ||
      !!document.querySelector('[role="dialog"], [role="menu"]')
    );
  }
}

export const arrival = new Arrival();
