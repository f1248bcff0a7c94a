import type { Chat } from '$stores/chat.svelte';
import { chosenOf } from '$stores/models.svelte';
import { shop } from '$stores/shop.svelte';

import { chatText as t } from './messages';

/** The model that a chat, or else its project, is to be answered by, as server/model; '' for whichever answers everywhere. */
export const ownModel = (chat: Chat): string =>
  chat.model || (shop.projects.find(chat.project)?.model ?? '');

/**
 * Who answers in a chat now, by name: a model, or the built-in interpreter, also while it stands in for one. A model of the chat's own whose
 * server is known to be away does not answer.
 */
export function onDuty(chat: Chat): string {
  const own = ownModel(chat);
  if (shop.provider.builtin) return t.builtinName;
  if (own && (!shop.models.view || chosenOf(shop.models.choices, own)))
    return own.slice(own.indexOf('/') + 1);
  return shop.provider.state.model || t.model;
}
