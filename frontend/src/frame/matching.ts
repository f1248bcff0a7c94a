// How the search dialog reads what was typed, and shows where it stands in what was found.

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** The words of a query. */
export const wordsOf = (query: string): string[] => fold(query).split(/\s+/).filter(Boolean);

/** Whether a text holds every word. */
export function holds(text: string, words: readonly string[]): boolean {
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}

export interface Piece {
  text: string;
  hit: boolean;
}

/** A text in pieces: those that are one of the words, and what stands between them. */
export function pieces(text: string, words: readonly string[]): Piece[] {
  const lower = text.toLowerCase();
  // Letters that grow or shrink when they are folded would shift the marks.
  if (!words.length || lower.length !== text.length) return [{ text, hit: false }];
  const out: Piece[] = [];
  let from = 0;
  while (from < text.length) {
    const next = words
      .map((word) => ({ at: lower.indexOf(word, from), size: word.length }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.size - a.size)[0];
    if (!next) break;
    if (next.at > from) out.push({ text: text.slice(from, next.at), hit: false });
    out.push({ text: text.slice(next.at, next.at + next.size), hit: true });
    from = next.at + next.size;
  }
  if (from < text.length) out.push({ text: text.slice(from), hit: false });
  return out;
}

/** As much of a long text as fits into a line, about the first word that is looked for. */
export function excerpt(text: string, words: readonly string[], before = 24, most = 160): string {
  const lower = text.toLowerCase();
  const at = Math.min(...words.map((w) => lower.indexOf(w)).filter((n) => n >= 0), text.length);
  const start = at === text.length || at <= before ? 0 : at - before;
  const cut = text.slice(start, start + most);
  return (start > 0 ? '…' : '') + cut + (start + most < text.length ? '…' : '');
}
