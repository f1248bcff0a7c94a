import type { LetterRow, ReadingRow, Reliability } from '$lib/api/types';

/** What is listed: a letter, or how a message was read. */
export type Entry = LetterRow | ReadingRow;

export const isReading = (entry: Entry): entry is ReadingRow => 'guesses' in entry;

/** What a person wants to see of what is listed. The role of a reading is `reading`. */
export interface Wanted {
  role: string;
  errors: boolean;
}

export const fits = (entry: Entry, wanted: Wanted): boolean =>
  isReading(entry)
    ? (!wanted.role || wanted.role === 'reading') && !wanted.errors
    : (!wanted.role || entry.role === wanted.role) && (!wanted.errors || Boolean(entry.error));

/** Letters and readings together, newest first; a message is read before letters are written for it. */
export const together = (rows: LetterRow[], readings: ReadingRow[]): Entry[] =>
  [...rows, ...readings].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));

/** How sure a reading is, in percent: never 100, which nothing is. */
export const percent = (p: number): string =>
  p < 0.01 ? '<1%' : `${Math.min(99, Math.round(p * 100))}%`;

/** What a message was taken for, in short. */
export function meant(reading: ReadingRow): string {
  const best = reading.guesses[0];
  return best ? `${best.title} ${percent(best.p)}` : (reading.title ?? '');
}

/** What is known of readings about as sure as one. */
export const near = (list: Reliability[], p: number): Reliability | undefined =>
  list.reduce<Reliability | undefined>(
    (best, r) => (best && Math.abs(best.said - p) <= Math.abs(r.said - p) ? best : r),
    undefined,
  );

/** How much of what was read came from the cache, in percent; undefined when that is not known. */
export function cachedShare(row: LetterRow): number | undefined {
  if (!row.tokensIn) return undefined;
  return Math.min(100, Math.round(((row.tokensCached ?? 0) / row.tokensIn) * 100));
}

/** What is behind a message: the newest from before it. Entries are newest first. */
export const behind = <T extends { at: string }>(entries: T[], at: number): T | undefined =>
  entries.find((e) => Date.parse(e.at) <= at);
