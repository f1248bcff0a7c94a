import type { McpResource } from './api/types';
import type { Range } from './blanks';

/** What is being named behind an @ before the caret, and where it stands; undefined where nothing is. */
export function mentioned(text: string, caret: number): (Range & { sought: string }) | undefined {
  const before = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret))?.[1];
  if (before === undefined) return undefined;
  // A consonant alone is a syllable that is not whole yet.
  return {
    start: caret - before.length - 1,
    end: caret,
    sought: before.replace(/[ㄱ-ㅎㅏ-ㅣ]+$/, ''),
  };
}

const MOST = 8;
const fold = (text: string) => text.normalize('NFD').toLowerCase();

/** The resources that may be meant: those whose name begins so, then those that hold it, then those of a server or an address that does. */
export function resourcesFor(list: readonly McpResource[], sought: string): McpResource[] {
  const wanted = fold(sought);
  const rank = (r: McpResource) => {
    const name = fold(r.name);
    if (name.startsWith(wanted)) return 0;
    if (name.includes(wanted)) return 1;
    return fold(`${r.title || r.server} ${r.address}`).includes(wanted) ? 2 : 3;
  };
  return list
    .map((resource) => ({ resource, rank: rank(resource) }))
    .filter((x) => x.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map((x) => x.resource);
}
