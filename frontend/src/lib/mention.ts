import type { McpResource } from './api/types';
import type { Range } from './blanks';
import { ranked } from './ranked';

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

/** The resources that may be meant: those whose name begins so, then those that hold it, then those of a server or an address that does. */
export const resourcesFor = (list: readonly McpResource[], sought: string): McpResource[] =>
  ranked(
    list,
    sought,
    (r) => [r.name],
    (r) => `${r.title || r.server} ${r.address}`,
  );
