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

/** A place in the text that holds what is sought: characters of a passage as it is drawn. */
export interface Hit {
  passage: number;
  from: number;
  to: number;
}

const whole = (p: Drawn) => p.before + p.inside + p.after;

/** Every place that holds the words: however they are written, and whatever space stands between them. */
export function findIn(passages: readonly Drawn[], words: string): Hit[] {
  const parts = words.normalize('NFC').trim().split(/\s+/).filter(Boolean);
  if (!parts.length) return [];
  const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+');
  const sought = new RegExp(pattern, 'giu');
  return passages.flatMap((p, passage) =>
    [...whole(p).matchAll(sought)].map(({ index, 0: { length } }) => ({
      passage,
      from: index,
      to: index + length,
    })),
  );
}

export function byPassage(hits: readonly Hit[]): ReadonlyMap<number, Hit[]> {
  const map = new Map<number, Hit[]>();
  for (const hit of hits) map.set(hit.passage, [...(map.get(hit.passage) ?? []), hit]);
  return map;
}

/** A piece of a passage: plain, what its place names, one that was found, or the found one that one looks at. */
export interface Piece {
  text: string;
  as: 'plain' | 'named' | 'found' | 'now';
}

/** A passage in pieces. While something is sought, what was found is marked and not what the place names. */
export function pieces(p: Drawn, hits: readonly Hit[] | undefined, now?: Hit): Piece[] {
  if (!hits) {
    const named: Piece[] = [
      { text: p.before, as: 'plain' },
      { text: p.inside, as: 'named' },
      { text: p.after, as: 'plain' },
    ];
    return named.filter(({ text }) => text);
  }
  const text = whole(p);
  let done = 0;
  const list: Piece[] = [];
  for (const hit of hits) {
    list.push({ text: text.slice(done, hit.from), as: 'plain' });
    list.push({ text: text.slice(hit.from, hit.to), as: hit === now ? 'now' : 'found' });
    done = hit.to;
  }
  return [...list, { text: text.slice(done), as: 'plain' as const }].filter((piece) => piece.text);
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

/** How much room a sheet takes while it is not drawn: what it took when it was, or about what it will take. */
export function room({ passages }: Sheet, height?: number): string {
  if (height) return `${height}px`;
  let lines = 0;
  for (const p of passages) {
    lines += p.page ? 2 : 0;
    for (const line of whole(p).split('\n')) lines += Math.max(1, Math.ceil(line.length / ACROSS));
  }
  return `${lines * LINE}px`;
}
