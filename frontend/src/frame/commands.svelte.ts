// What the page is to do that did not begin in it: a click on a notification or in the tray's menu, a second start of the program,
// the window being closed.
import type { PageCommand } from '$lib/api/types';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

import { arrival } from './arrival';
import { bringHere } from './drop.svelte';
import { openChat, openJob } from './places';
import { focusComposer } from './shortcuts';

/** What the person is asked while the window is being closed or the program is to end. */
class Door {
  asked = $state.raw<PageCommand>();
}

export const door = new Door();

export function runPageCommand(command: PageCommand): void {
  arrival.touch();
  if (view.line && command.kind !== 'line') endLine(true);
  switch (command.kind) {
    case 'line':
      view.line = true;
      return;
    case 'open':
      return lead(command);
    case 'given':
      return take(command);
    default:
      door.asked = command;
  }
}

/** The window gets its size back; without `stay` it goes out of sight again if it came from there. */
export function endLine(stay: boolean): void {
  view.line = false;
  void shop.lineDone(stay);
  focusComposer();
}

function lead({ chat = '', job = '', ask = '' }: PageCommand): void {
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
function take({ files = [], text = '' }: PageCommand): void {
  view.go('chat');
  if (files.length) void bringHere(files);
  if (!text) return;
  const chat = shop.chats.currentId;
  view.drafts[chat] = [view.drafts[chat], text].filter(Boolean).join('\n');
  focusComposer();
}
