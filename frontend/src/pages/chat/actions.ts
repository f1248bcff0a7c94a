import { api } from '$lib/api';
import type { Chat, Message } from '$stores/chats.svelte';
import { shop } from '$stores/shop.svelte';
import { attempt, toasts } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';

import { chatText as t } from './messages';

/** Sends a message. False when the shop refused it; why is said in the corner. */
export async function say(chat: Chat, text: string, action = ''): Promise<boolean> {
  const message = await attempt(() => api.say(chat.id, text, action));
  if (!message) return false;
  if (message.id) chat.take(message);
  shop.expectNews();
  return true;
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
  const gone = chat.remove(message.id);
  if (!gone || message.role === 'error') return;
  try {
    await api.deleteMessage(message.id);
  } catch (thrown) {
    chat.restore(gone.message, gone.index);
    toasts.error(thrown);
    return;
  }
  const undo = () =>
    void attempt(async () => {
      await api.restoreMessage(message.id);
      chat.restore(gone.message, gone.index);
    });
  toasts.show({ kind: 'info', text: t.removed, action: { label: t.undo, run: undo } });
}

/** Deletes a message that another one takes the place of. */
export async function replace(chat: Chat, message: Message): Promise<void> {
  const gone = chat.remove(message.id);
  if (gone) await attempt(() => api.deleteMessage(message.id));
}

/** Answers the last request once more: the reply and the request go, the request is said anew. */
export async function again(chat: Chat, reply: Message): Promise<void> {
  const at = chat.messages.indexOf(reply);
  const request = chat.messages.slice(0, at).findLast((m) => m.role === 'customer');
  if (!request) return;
  await replace(chat, reply);
  await replace(chat, request);
  await say(chat, request.text);
}

export async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toasts.show({ kind: 'done', text: t.copied }, 1800);
}
