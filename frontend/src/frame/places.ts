// Ways to a place of the window from elsewhere.
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

export function openChat(id: string): void {
  if (!id.startsWith('job:')) shop.chats.currentId = id;
  view.go('chat');
}

export function openJob(id: string, chat = ''): void {
  if (chat) openChat(chat);
  view.openJob(id);
}
