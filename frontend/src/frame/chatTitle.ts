import { type Chat } from '$stores/chat.svelte';
import { MAIN_CHAT } from '$stores/chats.svelte';

import { frameText } from './messages';

/** What a chat is called: its title, else what was first said in it. */
export function chatTitle(chat: Chat): string {
  if (chat.title) return chat.title;
  const first = chat.messages.find((m) => m.role === 'customer')?.text;
  return first?.slice(0, 60) ?? (chat.id === MAIN_CHAT ? frameText.firstChat : frameText.untitled);
}
