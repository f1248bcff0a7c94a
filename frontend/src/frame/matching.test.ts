import { describe, expect, it } from 'vitest';

import { plain } from '$lib/markdown/plain';

import { excerpt, holds, pieces, wordsOf } from './matching';

describe('what is typed into the search box', () => {
  it('is words, whatever their case', () => {
    expect(wordsOf('  Big  계약 ')).toEqual(['big', '계약']);
    expect(holds('A BIG 근로계약서', wordsOf('big 계약'))).toBe(true);
    expect(holds('A big house', wordsOf('big 계약'))).toBe(false);
  });

  it('is marked where it stands', () => {
    expect(pieces('노래 불러줘, 노래!', ['노래'])).toEqual([
      { text: '노래', hit: true },
      { text: ' 불러줘, ', hit: false },
      { text: '노래', hit: true },
      { text: '!', hit: false },
    ]);
    expect(pieces('İstanbul', ['i'])).toEqual([{ text: 'İstanbul', hit: false }]);
  });

  it('is seen in a long text', () => {
    const long = `${'가'.repeat(200)}우유${'나'.repeat(300)}`;
    const seen = excerpt(long, ['우유']);
    expect(seen).toContain('우유');
    expect(seen.startsWith('…')).toBe(true);
    expect(seen.length).toBeLessThan(170);
    expect(excerpt('짧아요', ['없음'])).toBe('짧아요');
  });
});

it('a line of a list has no Markdown in it', () => {
  expect(plain('# 제목\n\n**굵게** 그리고 `코드`, [링크](https://a.b)')).toBe(
    '제목 굵게 그리고 코드, 링크',
  );
  expect(plain('- 하나\n- 둘\n\n| a | b |\n|---|---|\n| 1 | 2 |')).toBe('하나 둘 a b 1 2');
  expect(plain('```js\nlet x = 1\n```')).toBe('let x = 1');
  expect(plain('2 * 3 * 4 = 24, snake_case_name')).toBe('2 * 3 * 4 = 24, snake_case_name');
});
