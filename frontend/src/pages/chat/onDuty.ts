import { shop } from '$stores/shop.svelte';

import { chatText as t } from './messages';

/** Who answers in the chats now, by name: a model, or the built-in interpreter, also while it stands in for one. */
export const onDuty = (): string =>
  shop.provider.builtin ? t.builtinName : shop.provider.state.model || t.model;
