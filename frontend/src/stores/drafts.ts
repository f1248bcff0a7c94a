// What was typed and not sent is kept in the shop, with its files, so that it is there again after a restart.
import { api } from '$lib/api';
import type { Snapshot, event } from '$lib/api/types';

import { Chip, type Attachments } from './attachments.svelte';
import type { Change, View } from './view.svelte';

const PAUSE_MS = 300;

interface Draft {
  text: string;
  about?: event.DocumentRef | undefined;
  /** The earlier request that the words are for. */
  change?: Change;
  /** The shop lets go of no file that stands here, or in aside. */
  files?: event.Attachment[];
  /** The files of what had been typed before the request was put into the box. */
  aside?: event.Attachment[];
}

/** Puts what was kept into the boxes that are empty. A file that is read from now on is kept at once, whatever chat is open by then. */
export function takeUp(
  view: View,
  attachments: Attachments,
  kept: Snapshot['drafts'] | undefined,
): void {
  attachments.onread = (chat) => keepDraft(view, attachments, chat);
  for (const [chat, data] of Object.entries(kept ?? {})) {
    if (view.drafts[chat]) continue;
    try {
      const { text, about, change, files, aside } = JSON.parse(data) as Draft;
      const early = attachments.of(chat);
      if (files && !change) attachments.put(chat, [...chipsOf(files), ...early]);
      if (aside) attachments.put(chat, [...chipsOf(aside), ...early]);
      if (files && change) attachments.swap(chat, chipsOf(files));
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

const chipsOf = (files: event.Attachment[]): Chip[] => files.map((a) => Chip.of(a));
const taken = (chips: Chip[]): event.Attachment[] => chips.flatMap((c) => c.attachment ?? []);

/** Keeps what is typed in a chat, once the typing pauses; nothing is forgotten at once. */
export function keepDraft(view: View, attachments: Attachments, chat: string): void {
  const [text, about, change] = [view.drafts[chat] ?? '', view.about[chat], view.editing[chat]];
  const [files, aside] = [taken(attachments.of(chat)), taken(attachments.aside(chat))];
  const draft: Draft = {
    text,
    about,
    ...(change && { change: { ...change, resumed: true } }),
    ...((files.length || change) && { files }),
    ...(aside.length && { aside }),
  };
  const data = text.trim() || change || files.length ? JSON.stringify(draft) : '';
  if (waiting?.chat !== chat) flush();
  if (waiting) clearTimeout(waiting.timer);
  waiting = undefined;
  if (data === (last.get(chat) ?? '')) return;
  waiting = { chat, data, timer: setTimeout(() => flush(), data ? PAUSE_MS : 0) };
}

/** What is on its way to the shop, by chat, and what is to follow it. */
const going = new Map<string, { next?: string | undefined }>();

/** Keeps at once what is waiting for a pause. Where the page goes, nothing waits for its turn any more. */
export function flush(goes = false): void {
  if (waiting) {
    const { chat, data, timer } = waiting;
    clearTimeout(timer);
    waiting = undefined;
    last.set(chat, data);
    send(chat, data);
  }
  if (!goes) return;
  for (const [chat, under] of going) {
    if (under.next !== undefined) api.saveDraft(chat, under.next).catch(() => last.delete(chat));
    under.next = undefined;
  }
}

/** Calls run side by side in the shop: what comes later follows when what was sent before has arrived, or an older draft could take its place. */
function send(chat: string, data: string): void {
  const under = going.get(chat);
  if (under) {
    under.next = data;
    return;
  }
  const mine: { next?: string | undefined } = {};
  going.set(chat, mine);
  void api
    .saveDraft(chat, data)
    .catch(() => last.delete(chat))
    .finally(() => {
      going.delete(chat);
      if (mine.next !== undefined) send(chat, mine.next);
    });
}
