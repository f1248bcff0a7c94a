import type { Favourite, McpPrompt, McpResource } from './api/types';
import { completions } from './blanks';
import { resourcesFor } from './mention';
import { holds, ranked, same } from './ranked';

/** One thing that what is typed may mean. */
export type Offer =
  | { kind: 'favourite'; key: string; favourite: Favourite }
  | { kind: 'prompt'; key: string; prompt: McpPrompt }
  | { kind: 'resource'; key: string; resource: McpResource };

/** The prompts that may be meant: by their names, then by what is said of them, and by their server. */
export const promptsFor = (list: readonly McpPrompt[], typed: string): McpPrompt[] =>
  ranked(list, typed.trim(), named, (p) => `${p.title || p.server} ${p.about ?? ''}`);

/** What a name behind a slash may mean: one's own favourites, then prompts of outside servers. */
export const slashOffers = (
  favourites: readonly Favourite[],
  prompts: readonly McpPrompt[],
  typed: string,
): Offer[] => [
  ...completions(favourites, typed).map((favourite): Offer => ({
    kind: 'favourite',
    key: `f ${favourite.id}`,
    favourite,
  })),
  ...promptsFor(prompts, typed).map((prompt): Offer => ({
    kind: 'prompt',
    key: promptKey(prompt),
    prompt,
  })),
];

export const mentionOffers = (resources: readonly McpResource[], sought: string): Offer[] =>
  resourcesFor(resources, sought).map((resource) => ({
    kind: 'resource',
    key: resourceKey(resource),
    resource,
  }));

// Either part may hold any character.
const promptKey = (p: McpPrompt): string => JSON.stringify(['p', p.server, p.prompt]);
const resourceKey = (r: McpResource): string => JSON.stringify(['r', r.server, r.address]);

/** These words alone ask for the pages about how it works, which the window has itself. */
export const asksHelp = (text: string): boolean =>
  /^\s*\/?(help|도움말|사용법)[.!?\s]*$/i.test(text);

const named = (p: McpPrompt): string[] => [p.prompt, p.name];

/**
 * Which offer Enter takes while none was pointed at: the first, or the one at `was`, which it was before a late answer.
 * -1 for none. Words that mean something of one's own already are not made into what a server calls so, whoever
 * answered first, and what is merely said of a prompt is no name of it.
 */
export function preselected(list: readonly Offer[], typed: string | undefined, was = 0): number {
  if (typed === undefined) return was;
  const word = typed.trim();
  const own = list.findIndex((o) => o.kind === 'favourite' && same(o.favourite.name, word));
  if (own >= 0 || asksHelp(word)) return own;
  const offer = list[was];
  return offer?.kind === 'prompt' && !named(offer.prompt).some((name) => holds(name, word))
    ? -1
    : was;
}

/** What was known and what came, without the same twice: a list that one chooses from does not shrink. */
export function joined<T extends McpPrompt | McpResource>(
  had: readonly T[],
  fresh: readonly T[],
): readonly T[] {
  const key = (one: T) => ('prompt' in one ? promptKey(one) : resourceKey(one));
  const known = new Set(had.map(key));
  return [...had, ...fresh.filter((one) => !known.has(key(one)))];
}

/** How many favourites, prompts and resources there are. */
export function counted(list: readonly Offer[]): [number, number, number] {
  const of = (kind: Offer['kind']) => list.filter((o) => o.kind === kind).length;
  return [of('favourite'), of('prompt'), of('resource')];
}
