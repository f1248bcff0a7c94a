import { cut } from '$stores/library.svelte';

interface Passage {
  page: number;
  start: number;
  text: string;
}

/** A passage as it is drawn: what the place names is `inside`. */
export interface Drawn {
  before: string;
  inside: string;
  after: string;
  /** Byte of the document's text. */
  start: number;
  /** The page it begins on. */
  at: number;
  /** The same when it is the first passage of its page, else 0. */
  page: number;
}

/** Passages in the order they are read, with the bytes from `start` to `end` of the text marked. */
export function lineup(passages: readonly Passage[], start: number, end: number): Drawn[] {
  return passages.map((p, i) => {
    const next = passages[i + 1]?.start ?? Infinity;
    const marked = end > p.start && start < next;
    const parts = marked ? cut(p, start, end) : { before: p.text, inside: '', after: '' };
    // A line that ends is the block's end; written out it would leave a gap.
    if (parts.after) parts.after = parts.after.replace(/\n$/, '');
    else if (parts.inside) parts.inside = parts.inside.replace(/\s+$/, '');
    else parts.before = parts.before.replace(/\n$/, '');
    return {
      ...parts,
      start: p.start,
      at: p.page,
      page: p.page !== passages[i - 1]?.page ? p.page : 0,
    };
  });
}

/** Pixels of a line, and characters in one: 720 px of Korean. */
const LINE = 26;
const ACROSS = 48;

/** Some passages in a row: what is drawn together. */
export interface Sheet {
  /** Which passage is its first. */
  first: number;
  passages: Drawn[];
}

const TOGETHER = 40;

/** Passages as sheets. A long document is drawn sheet by sheet, where one looks. */
export function sheetsOf(passages: Drawn[]): Sheet[] {
  const sheets: Sheet[] = [];
  for (let first = 0; first < passages.length; first += TOGETHER)
    sheets.push({ first, passages: passages.slice(first, first + TOGETHER) });
  return sheets;
}

/** The sheet a passage stands on. */
export const sheetWith = (passage: number): number => Math.floor(passage / TOGETHER);

/** About how much room a sheet takes before it was ever drawn. */
export function room({ passages }: Sheet): string {
  let lines = 0;
  for (const p of passages) {
    lines += p.page ? 2 : 0;
    for (const line of `${p.before}${p.inside}${p.after}`.split('\n'))
      lines += Math.max(1, Math.ceil(line.length / ACROSS));
  }
  return `${lines * LINE}px`;
}
