import { shop } from '$stores/shop.svelte';
import { attempt } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';

import { commandsOf, keymapOf, pressed, type Command, type Keymap } from './keymap';
import { openChat } from './places';
import { resizes } from './textSize';

const mac = /Mac/.test(navigator.platform);

/** How a shortcut is written on this machine. */
export const keys = (key: string) => (mac ? `⌘${key}` : `Ctrl+${key}`);

export async function newChat(): Promise<void> {
  // An empty chat is as good as a new one.
  const now = shop.chats.current;
  if (!now.messages.length && !shop.jobs.of(now.id).length) {
    view.go('chat');
    focusComposer();
    return;
  }
  if (!(await attempt(() => shop.chats.begin()))) return;
  view.go('chat');
  focusComposer();
}

export function focusComposer(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLTextAreaElement>('[data-testid="composer"]')?.focus(),
  );
}

/** Opens the next thing that waits: jobs with a question first, then the counters of other chats, and starts over at the end. */
export function nextWaiting(): void {
  const asked = shop.asks.open.map((a) => a.data.jobId ?? '').filter(Boolean);
  const rest = shop.jobs.waiting.map((j) => j.id).filter((id) => !asked.includes(id));
  const slips = shop.counter.all.map((slip) => slip.chat);
  const line = [...new Set([...asked, ...slips, ...rest])];
  const here = view.jobId ?? (view.page === 'chat' ? shop.chats.currentId : '');
  const next = line[(line.indexOf(here) + 1) % line.length];
  if (next && slips.includes(next)) {
    view.closeJob();
    openChat(next);
    focusComposer();
    return;
  }
  view.callJob(next);
  // No panel: the question is in the tray, if there is one.
  if (!view.jobId) document.querySelector<HTMLElement>('[data-testid="ask-card"]')?.focus();
}

/** The keys as the person has them. */
export const keymap = (): Keymap => keymapOf(shop.settings.text('shortcuts'));

/** How the shortcut of a command is written. */
export const keysOf = (command: Command): string => keys(keymap()[command].toUpperCase());

const commands: Record<Command, () => void> = {
  new: () => void newChat(),
  search: () => (view.searching = true),
  find: () => {
    view.finding = true;
    requestAnimationFrame(() =>
      document.querySelector<HTMLInputElement>('[data-testid="find-in-chat"]')?.select(),
    );
  },
  settings: () => view.go('settings'),
  keys: () => (view.shortcuts = !view.shortcuts),
  side: () => view.toggleSide(),
  next: nextWaiting,
};

/** The shortcuts of the whole window, and typing anywhere on the chat page. */
export function onKeydown(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  if (event.key === 'F1' && !event.ctrlKey && !event.altKey && !event.metaKey) {
    event.preventDefault();
    view.go('help');
    return;
  }
  if ((mac ? event.metaKey : event.ctrlKey) && !event.altKey && resizes(event)) return;
  if ((mac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey) {
    const [map, meant] = [keymap(), pressed(event)];
    const command = meant.flatMap((key) => commandsOf.find((c) => map[c] === key) ?? [])[0];
    // A page that has something to be found in itself looks there.
    if (command && (command !== 'find' || view.page === 'chat')) {
      event.preventDefault();
      commands[command]();
    }
    return;
  }
  if (event.key === 'Escape' && !event.isComposing) return escape(event);
  if (typesText(event) && view.page === 'chat') {
    document.querySelector<HTMLTextAreaElement>('[data-testid="composer"]')?.focus();
  }
}

function escape(event: KeyboardEvent): void {
  if (document.querySelector('[role="dialog"], [role="menu"]')) return;
  if (view.drawer) {
    event.preventDefault();
    view.drawer = false;
    return;
  }
  const chat = shop.chats.current;
  if (view.page === 'chat' && view.stopEditing(chat.id)) event.preventDefault();
  else if (view.page === 'chat' && (chat.streaming || chat.busy)) {
    event.preventDefault();
    void attempt(chat.stop);
  } else if (view.jobId) {
    event.preventDefault();
    view.closeJob();
    focusComposer();
  }
}

function typesText(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  // 'Process' is a key that an input method has taken.
  if (event.key.length !== 1 && event.key !== 'Process') return false;
  const target = event.target as HTMLElement;
  if (target.closest('input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]'))
    return false;
  return !(event.key === ' ' && target.closest('button, a, summary, [tabindex]'));
}
