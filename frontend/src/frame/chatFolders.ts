import type { Project } from '$lib/api/types';
import type { Chat } from '$stores/chat.svelte';
import { shop } from '$stores/shop.svelte';

/** Puts a chat into a project or a folder, '' for neither. */
export const moveChat = (chat: Chat, project: string): Promise<void> =>
  chat.set({ project, instructions: chat.instructions, model: chat.model });

/** Takes a folder away; its chats stay in the list. It gives what brings the folder back, with those of them that are nowhere else by then. */
export async function removeFolder(folder: Project): Promise<() => Promise<void>> {
  const chats = shop.chats.list.filter((c) => c.project === folder.id).map((c) => c.id);
  await shop.projects.remove(folder.id);
  return async () => {
    await shop.projects.save(folder);
    for (const id of chats) {
      const chat = shop.chats.byId.get(id);
      if (chat && (!chat.project || chat.project === folder.id)) await moveChat(chat, folder.id);
    }
  };
}
