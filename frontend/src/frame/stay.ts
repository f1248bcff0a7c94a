// The window never goes anywhere. What a model wrote holds links; whoever clicks one with any button, drags it or drops
// something must not end up on another page, which would have the shop's bound methods at hand.
import { safeAddress } from '$lib/address';
import { view } from '$stores/view.svelte';

import { carriesFiles, dragging } from './drop.svelte';

const linkOf = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;

/** Stops a click on a link, whatever the button, and asks the person about its address. */
export function clicked(event: MouseEvent): void {
  const link = linkOf(event);
  if (!link) return;
  event.preventDefault();
  if (event.button < 2) view.link = safeAddress(link.href);
}

/** A link that is dragged, and what is dropped anywhere but where one types. Files go to the library, never into a text. */
export function dragged(event: DragEvent): void {
  dragging.see(event);
  const box =
    event.target instanceof Element &&
    event.target.closest<HTMLTextAreaElement | HTMLInputElement>(
      'textarea, input:not([type=file])',
    );
  if (event.type === 'dragstart') {
    if (linkOf(event)) event.preventDefault();
    return;
  }
  // A box that reads files itself: they are not the library's as well.
  if (event.type === 'drop' && box && box.dataset['takesFiles'] !== undefined)
    dragging.typed = true;
  if (box && !carriesFiles(event.dataTransfer)) return;
  event.preventDefault();
  // A link looks like a file until it is dropped; where one types, its address is what was meant.
  const address = event.type === 'drop' && event.dataTransfer?.getData('text/uri-list');
  if (box && address && /^https?:/i.test(address)) {
    box.setRangeText(address.trim(), box.selectionStart ?? 0, box.selectionEnd ?? 0, 'end');
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    dragging.typed = true;
  }
}

/** Nothing in the window is sent as a form. */
export const submitted = (event: SubmitEvent): void => event.preventDefault();
