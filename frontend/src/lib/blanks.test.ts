import { describe, expect, it } from 'vitest';

import { blankOut, blanksIn, completions, escaped, nextBlank, slashed } from './blanks';

const favourite = (name: string, text = '') => ({ id: name, name, text, blanks: [] });

describe('blanks', () => {
  it('are names in braces, and braces written twice are none', () => {
    expect(blanksIn('{{여기}} {장소} 날씨 { 날 }').map((b) => b.name)).toEqual(['장소', '날']);
    expect(blanksIn('{장소')).toEqual([]);
    expect(blanksIn(escaped('{장소}'))).toEqual([]);
  });

  it('are walked through in both directions and round the ends', () => {
    const text = '{a} und {b}';
    expect(nextBlank(text, 0, 0)).toMatchObject({ start: 0, end: 3 });
    expect(nextBlank(text, 0, 3)).toMatchObject({ start: 8, end: 11 });
    expect(nextBlank(text, 8, 11)).toMatchObject({ start: 0, end: 3 });
    expect(nextBlank(text, 0, 3, true)).toMatchObject({ start: 8, end: 11 });
    expect(nextBlank('none', 0, 0)).toBeUndefined();
  });

  it('are made of a stretch, under a name that is free', () => {
    const made = blankOut('서울 날씨', { start: 0, end: 2 }, '곳', {});
    expect(made).toEqual({ text: '{곳} 날씨', name: '곳', was: '서울' });
    expect(blankOut('{곳}과 부산', { start: 5, end: 7 }, '곳', { 곳: '서울' }).text).toBe(
      '{곳}과 {곳 2}',
    );
    expect(blankOut('a{{b}}', { start: 1, end: 6 }, 'x/y', {})).toEqual({
      text: 'a{x y}',
      name: 'x y',
      was: '{b}',
    });
  });
});

describe('what is typed behind a slash', () => {
  it('is a name only at the start, and without a syllable that has only begun', () => {
    expect(slashed('/날ㅆ')).toBe('날');
    expect(slashed('/')).toBe('');
    expect(slashed('1/2')).toBeUndefined();
    expect(slashed('/a\nb')).toBeUndefined();
  });

  it('finds names by their beginning first, also in the middle of a syllable', () => {
    const list = [favourite('저녁 날씨'), favourite('날씨'), favourite('음악', '날씨 노래')];
    const names = (typed: string) => completions(list, typed).map((f) => f.name);
    expect(names('나')).toEqual(['날씨', '저녁 날씨', '음악']);
    expect(names('날씨')).toEqual(['날씨', '저녁 날씨', '음악']);
    expect(names('저녁')).toEqual(['저녁 날씨']);
    expect(names('없음')).toEqual([]);
  });
});
