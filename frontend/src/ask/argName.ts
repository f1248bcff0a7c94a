import { say } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';

// What the manual of a tool calls its values, in the window's language. A value of an outside tool, or of one that is gone, is
// called by its key.

const named = (tool: string | undefined, key: string) => shop.inventory.rack(tool)?.params?.[key];

export const argName = (tool: string | undefined, key: string): string =>
  say(named(tool, key)?.name) || key;

/** What a value that is one of a few is called; what was said or written stands as it is. */
export const argValue = (tool: string | undefined, key: string, value: string): string =>
  say(named(tool, key)?.values?.[value]) || value;

/** The values that one may have, where these are few. */
export const argChoices = (tool: string | undefined, key: string): string[] =>
  Object.keys(named(tool, key)?.values ?? {});
