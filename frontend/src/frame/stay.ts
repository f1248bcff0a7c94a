// The window never goes anywhere. What a model wrote holds links; whoever clicks one with any button, drags it or drops
// something must not end up on another page, which would have the shop's bound methods at hand.
import { safeAddress } from '$lib/markdown/render';
import { view } from '$stores/view.svelte';

const linkOf = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;

/** Stops a click on a link, whatever the button, and asks the person about its address. */
export function clicked(event: MouseEvent): void {
  const link = linkOf(event);
  if (!link) return;
  event.preventDefault();
  if (event.button < 2) view.link = safeAddress(link.href);
}

/** A link that is dragged, and what is dropped anywhere but where one types. */
export function dragged(event: DragEvent): void {
  const typing =
    event.target instanceof Element && event.target.closest('textarea, input:not([type=file])');
  const text = !!event.dataTransfer && !event.dataTransfer.types.includes('Files');
  if (event.type === 'dragstart' ? linkOf(event) : !(typing && text)) event.preventDefault();
}

/** Nothing in the window is sent as a form. */
export const submitted = (event: SubmitEvent): void => event.preventDefault();
