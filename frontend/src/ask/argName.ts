import type { event } from '$lib/api/types';
import { say } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';

import { lines } from './argNodes';
import { standsIn } from './unified';

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

/** A value as it is read, with what it is called; the key is '' where a tool is given one thing alone. */
export interface ArgRow {
  key: string;
  name: string;
  text: string;
}

/** The values that a tool is given. What stands line by line in the change that is shown beside is not there twice. */
export function argRows(args: unknown, tool?: string, shown?: event.AskPreview): ArgRow[] {
  if (args === undefined || args === null) return [];
  if (typeof args !== 'object' || Array.isArray(args))
    return [{ key: '', name: '', text: lines(args) }];
  return Object.entries(args)
    .map(([key, value]) => ({
      key,
      name: argName(tool, key),
      text: argValue(tool, key, lines(value)),
    }))
    .filter((row) => !shown || !standsIn(shown, row.text));
}
