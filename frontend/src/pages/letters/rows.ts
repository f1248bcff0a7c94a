import type { LetterRow } from '$lib/api/types';

/** What a person wants to see of the letters that are listed. */
export interface Wanted {
  role: string;
  errors: boolean;
}

export const fits = (row: LetterRow, wanted: Wanted): boolean =>
  (!wanted.role || row.role === wanted.role) && (!wanted.errors || Boolean(row.error));

/** How much of what was read came from the cache, in percent; undefined when that is not known. */
export function cachedShare(row: LetterRow): number | undefined {
  if (!row.tokensIn) return undefined;
  return Math.min(100, Math.round(((row.tokensCached ?? 0) / row.tokensIn) * 100));
}

/** The letter a message came from: the newest that was sent before it. Rows are newest first. */
export const behind = (rows: LetterRow[], at: number): LetterRow | undefined =>
  rows.find((r) => Date.parse(r.at) <= at);
