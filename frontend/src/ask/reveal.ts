// Values a person approves must look like what they are. Characters that are invisible, or that change the order in
// which others are drawn, are shown as codes.

// Controls but not line breaks, soft hyphen, Arabic and Mongolian marks, zero widths, bidi controls, fillers, variation
// selectors, tags, private use and lone surrogates; and spaces that look like another.
const hidden =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffc\ue000-\uf8ff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Cs}]/u;

export interface Piece {
  text: string;
  /** The text is the code of a hidden character. */
  code: boolean;
}

/** Splits a text into what can be shown as it is and the codes of what cannot. */
export function reveal(text: string): Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  for (const char of text) {
    if (!hidden.test(char)) {
      plain += char;
      continue;
    }
    if (plain) pieces.push({ text: plain, code: false });
    plain = '';
    const point = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    pieces.push({ text: `U+${point}`, code: true });
  }
  if (plain) pieces.push({ text: plain, code: false });
  return pieces;
}

export const hides = (text: string): boolean => reveal(text).some((p) => p.code);
