// What was typed and not sent is kept in the shop, so that it is there again after a restart.
import { api } from '$lib/api';
import type { Snapshot, event } from '$lib/api/types';

import type { Change, View } from './view.svelte';

const PAUSE_MS = 300;

interface Draft {
  text: string;
  about?: event.DocumentRef | undefined;
  /** The earlier request that the words are for. */
  change?: Change;
}

/** Puts what was kept into the boxes that are empty. */
export function takeUp(view: View, kept: Snapshot['drafts'] | undefined): void {
  for (const [chat, data] of Object.entries(kept ?? {})) {
    if (view.drafts[chat]) continue;
    try {
      const { text, about, change } = JSON.parse(data) as Draft;
      view.drafts[chat] = text;
      view.about[chat] ??= about;
      view.editing[chat] = change;
      last.set(chat, data);
    } catch {
      // What another version wrote is left alone.
    }
  }
}

const last = new Map<string, string>();
let waiting: { chat: string; data: string; timer: ReturnType<typeof setTimeout> } | undefined;

/** Keeps what is typed in a chat, once the typing pauses; nothing is forgotten at once. */
export function keepDraft(view: View, chat: string): void {
  const [text, about, change] = [view.drafts[chat] ?? '', view.about[chat], view.editing[chat]];
  const draft: Draft = { text, about, ...(change && { change: { ...change, resumed: true } }) };
  const data = text.trim() || change ? JSON.stringify(draft) : '';
  if (waiting?.chat !== chat) flush();
  if (waiting) clearTimeout(waiting.timer);
  waiting = undefined;
  if (data === (last.get(chat) ?? '')) return;
  waiting = { chat, data, timer: setTimeout(flush, data ? PAUSE_MS : 0) };
}

/** Keeps at once what is waiting for a pause: the page goes. */
export function flush(): void {
  if (!waiting) return;
  const { chat, data, timer } = waiting;
  clearTimeout(timer);
  waiting = undefined;
  last.set(chat, data);
  api.saveDraft(chat, data).catch(() => last.delete(chat));
}
