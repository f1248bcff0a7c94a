import type { event } from '$lib/api/types';
import type { Chat } from '$stores/chat.svelte';
import type { Message } from '$stores/message.svelte';
import { shop } from '$stores/shop.svelte';
import { attempt, toasts } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';

import { chatTitle } from '../../frame/chatTitle';
import { focusComposer } from '../../frame/shortcuts';
import { chatText as t } from './messages';

/** Sends a message. False when the shop refused it; why is said in the corner. */
export async function say(chat: Chat, text: string, action = ''): Promise<boolean> {
  const seen = shop.counter.seen(chat.id);
  return told(chat.say(text, action, seen));
}

/** Sends a message that asks about one document. False when the shop refused it. */
export const sayAbout = (chat: Chat, text: string, about: event.DocumentRef): Promise<boolean> =>
  told(chat.sayAbout(text, about.documentId));

/** Sends a message with files that were handed in. False when the shop refused it. */
export const sayWith = (
  chat: Chat,
  text: string,
  attachments: event.Attachment[],
  about?: event.DocumentRef,
): Promise<boolean> =>
  told(chat.sayWith(text, attachments, about?.documentId ?? '', shop.counter.seen(chat.id)));

/** Puts an attachment into the library, too. False when that failed. */
export async function keepAttachment(attachment: event.Attachment): Promise<boolean> {
  const kept = await attempt(() => shop.attachments.keep(attachment).then(() => true));
  if (kept) toasts.show({ kind: 'done', text: t.keptToast(attachment.name) });
  return kept ?? false;
}

/** Opens the text of an attachment. The way back leads to its message. */
export async function readAttachment(
  attachment: event.Attachment,
  message: Message,
): Promise<void> {
  const documentId = await attempt(() => shop.attachments.document(attachment));
  if (documentId) read({ documentId, start: 0, end: 0 }, message);
}

async function told(said: Promise<unknown>): Promise<boolean> {
  const taken = (await attempt(() => said.then(() => true))) ?? false;
  if (taken) shop.expectNews();
  return taken;
}

/** Opens a document at the passage an answer rests on. The way back leads to the message. */
export function read(
  source: { documentId: string; start: number; end: number },
  message: Message,
): void {
  void shop.library.read(source.documentId, source.start, source.end, message.id);
  view.go('library');
}

/** Deletes a message at once, and offers to bring it back. */
export async function remove(chat: Chat, message: Message): Promise<void> {
  const restore = await attempt(() => chat.remove(message.id));
  if (!restore) return;
  const undo = () => void attempt(restore);
  toasts.show({ kind: 'info', text: t.removed, action: { label: t.undo, run: undo } });
}

/**
 * Says something in the place of an earlier request, which goes with all that came of it and after it. Until the shop has the
 * new words everything stays as it is. False when it refused them.
 */
export const sayInstead = (
  chat: Chat,
  request: string,
  text: string,
  about: event.DocumentRef | undefined,
  attachments: event.Attachment[],
  { keep = [], model = '' }: { keep?: string[]; model?: string } = {},
): Promise<boolean> =>
  told(
    chat.sayInstead(request, { text, document: about?.documentId ?? '', attachments, keep, model }),
  );

/** Opens the chat with a document as what the next question asks about. */
export function askAbout(document: event.DocumentRef): void {
  view.about[shop.chats.currentId] = document;
  view.go('chat');
  focusComposer();
}

/** What stands for a shelf, and for what is attached in a chat, where a document is named (backend/event/library.go). */
const SHELF = 'shelf:';
const ATTACHED = 'attached';

/** Opens the chat with a shelf as what the next question asks about. */
export const askShelf = (shelf: { id: string; title: string }): void =>
  askAbout({ documentId: SHELF + shelf.id, title: shelf.title });

/** Stands for everything that is attached in a chat where a document is named. */
export const attachedHere = (): event.DocumentRef => ({
  documentId: ATTACHED,
  title: t.attachedHere,
});

/** Has the next question ask about everything that is attached in the chat. */
export const askAttached = (): void => askAbout(attachedHere());

/** Says the words of a favourite in a chat. False when the shop refused it. */
export const sayFavourite = (chat: Chat, id: string, words = ''): Promise<boolean> =>
  told(shop.favourites.run(chat.id, id, words));

/** Runs a favourite in the chat that is open: at once, or from the box where its blanks are filled in first. */
export async function runFavourite(id: string): Promise<void> {
  const favourite = await shop.favourites.find(id);
  const chat = shop.chats.current;
  view.go('chat');
  if (favourite?.blanks.length) {
    view.stopEditing(chat.id);
    view.drafts[chat.id] = favourite.text;
    view.favourite[chat.id] = id;
    focusComposer();
  } else await sayFavourite(chat, id);
}

/** Makes a chat of what stands in this one up to a message, and opens it. */
export async function fork(chat: Chat, message: Message): Promise<void> {
  if (
    !(await attempt(() => shop.chats.fork(message.id, t.forkOf(chatTitle(chat))).then(() => true)))
  )
    return;
  toasts.show({ kind: 'info', text: t.forked(chatTitle(chat)) });
  focusComposer();
}

/** Has a reply that was stopped go on. */
export const goOn = (chat: Chat): Promise<boolean> => say(chat, t.goOnWords);
