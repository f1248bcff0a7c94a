// What differs between two replies, word by word, for reading them side by side.

export interface Piece {
  text: string;
  /** It is only in this one. */
  own: boolean;
}

/** Beyond this many words times words, the texts are only compared as wholes: it is not worth the wait. */
const MOST = 4_000_000;

/** Splits into words, spaces and marks; Hangul stays in words. */
const words = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** JSON is easier to compare with one thing on a line; anything else stays as it is. */
export function pretty(text: string): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return trimmed;
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2);
  } catch {
    return trimmed;
  }
}

/** The two texts in pieces: those they share, in the same order, and those only one has. */
export function diff(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const a = words(before);
  const b = words(after);
  if (a.length * b.length > MOST) {
    const own = before !== after;
    return { before: [{ text: before, own }], after: [{ text: after, own }] };
  }
  const shared = common(a, b);
  return { before: pieces(a, shared.before), after: pieces(b, shared.after) };
}

/** Which words of each belong to the longest common subsequence. */
function common(a: string[], b: string[]): { before: Set<number>; after: Set<number> } {
  const width = b.length + 1;
  // How long the longest common subsequence of the rest of both is, from each word of each.
  const lengths = new Uint32Array((a.length + 1) * width);
  const rest = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j] ? rest(i + 1, j + 1) + 1 : Math.max(rest(i + 1, j), rest(i, j + 1));
    }
  }
  const before = new Set<number>();
  const after = new Set<number>();
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      before.add(i++);
      after.add(j++);
    } else if (rest(i + 1, j) >= rest(i, j + 1)) i++;
    else j++;
  }
  return { before, after };
}

function pieces(all: string[], shared: Set<number>): Piece[] {
  const out: Piece[] = [];
  for (const [i, text] of all.entries()) {
    const own = !shared.has(i);
    const last = out.at(-1);
    if (last?.own === own) last.text += text;
    else out.push({ text, own });
  }
  return out;
}
