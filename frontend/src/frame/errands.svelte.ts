// What the page is to do that did not begin in it: a click on a notification or in the tray's menu, a second start of the program,
// the window being closed.
import type { Errand } from '$lib/api/types';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

import { arrival } from './arrival';
import { bringHere } from './drop.svelte';
import { openChat, openJob } from './places';
import { focusComposer } from './shortcuts';

/** What the person is asked while the window is being closed or the program is to end. */
class Door {
  asked = $state.raw<Errand>();
}

export const door = new Door();

export function runErrand(errand: Errand): void {
  arrival.touch();
  switch (errand.kind) {
    case 'open':
      return lead(errand);
    case 'given':
      return take(errand);
    default:
      door.asked = errand;
  }
}

function lead({ chat = '', job = '', ask = '' }: Errand): void {
  if (job) openJob(job, chat);
  else if (chat) openChat(chat);
  if (!ask) return;
  if (job) view.callJob(job);
  else
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-testid="ask-card"]')?.focus(),
    );
}

/** Files go into the library like dropped ones; words into the box, where the person may send them or not. */
function take({ files = [], text = '' }: Errand): void {
  view.go('chat');
  if (files.length) void bringHere(files);
  if (!text) return;
  const chat = shop.chats.currentId;
  view.drafts[chat] = [view.drafts[chat], text].filter(Boolean).join('\n');
  focusComposer();
}
