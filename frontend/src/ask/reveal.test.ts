import { expect, it } from 'vitest';

import { hides, reveal } from './reveal';

it('leaves what one can see as it is', () => {
  for (const text of ['서울역 12,000원', 'a b\nc', '日本 🙂 café']) expect(hides(text)).toBe(false);
});

it.each([
  ['right-to-left override', '\u202e', 'U+202E'],
  ['isolate', '\u2066', 'U+2066'],
  ['zero width space', '\u200b', 'U+200B'],
  ['byte order mark', '\ufeff', 'U+FEFF'],
  ['no-break space', '\u00a0', 'U+00A0'],
  ['tab', '\t', 'U+0009'],
  ['Hangul filler', '\u3164', 'U+3164'],
  ['tag letter', '\u{e0041}', 'U+E0041'],
])('shows a %s as its code', (_, char, code) => {
  expect(reveal(`a${char}b`)).toEqual([
    { text: 'a', code: false },
    { text: code, code: true },
    { text: 'b', code: false },
  ]);
});
