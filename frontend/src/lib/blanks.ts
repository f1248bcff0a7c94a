// Blanks in a text: {place} is one; {{ and }} are the braces themselves. Go reads them the same way (backend/favourite).
import type { Favourite } from '$lib/api/types';

import { ranked } from './ranked';

/** A stretch of a text. */
export interface Range {
  start: number;
  end: number;
}

/** Where the blanks of a text stand. A brace that opens nothing is no blank. */
export function blanksIn(text: string): (Range & { name: string })[] {
  return [...text.matchAll(/\{\{|\}\}|\{([^{}]+)\}/g)]
    .filter((m) => m[1]?.trim())
    .map((m) => ({
      name: (m[1] ?? '').trim(),
      start: m.index,
      end: m.index + m[0].length,
    }));
}

/** The blank after the caret, or before it; round the ends. */
export function nextBlank(text: string, from: number, to: number, back = false): Range | undefined {
  const all = blanksIn(text);
  return back
    ? (all.findLast((b) => b.end <= from) ?? all.at(-1))
    : (all.find((b) => b.start >= to) ?? all[0]);
}

/** A text as one without blanks is written. */
export const escaped = (text: string): string => text.replace(/[{}]/g, '$&$&');

/** Makes a stretch of a text a blank of this name, or of the name with a number where another thing is called so already. */
export function blankOut(
  text: string,
  { start, end }: Range,
  name: string,
  was: Readonly<Record<string, string>>,
): { text: string; name: string; was: string } {
  const stretch = text.slice(start, end).replace(/\{\{|\}\}/g, (two) => two.charAt(0));
  const taken = new Set(blanksIn(text).map((b) => b.name));
  const clean =
    name
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, ' ')
      .trim()
      .slice(0, 16) || '?';
  let free = clean;
  for (let n = 2; taken.has(free) && was[free] !== stretch; n++) free = `${clean} ${n}`;
  return { text: `${text.slice(0, start)}{${free}}${text.slice(end)}`, name: free, was: stretch };
}

/** What is typed of a favourite's name: the words behind a slash at the start; undefined where none is. */
export function slashed(text: string): string | undefined {
  const typed = /^\/([^\n]*)$/.exec(text);
  // A consonant alone is a syllable that is not whole yet.
  return typed?.[1]?.replace(/[ㄱ-ㅎㅏ-ㅣ]+$/, '');
}

/** The favourites that what is typed may mean: those whose name begins so, then those that hold it. */
export const completions = (list: readonly Favourite[], typed: string): Favourite[] =>
  ranked(
    list,
    typed.trim(),
    (f) => [f.name],
    (f) => f.text,
  );
