import { expect, it } from 'vitest';

import { diff, pretty } from './diff';

const own = (pieces: { text: string; own: boolean }[]) =>
  pieces.filter((p) => p.own).map((p) => p.text);
const whole = (pieces: { text: string }[]) => pieces.map((p) => p.text).join('');

it('marks what only one of two replies has, and loses nothing', () => {
  const [a, b] = ['노래를 두 곡 틀게요.', '노래를 한 곡 바로 틀게요.'];
  const d = diff(a, b);
  expect(own(d.before)).toEqual(['두']);
  expect(own(d.after)).toEqual(['한', '바로 ']);
  expect(whole(d.before)).toBe(a);
  expect(whole(d.after)).toBe(b);
});

it('finds nothing between equal replies, and everything between strange ones', () => {
  expect(own(diff('같아요', '같아요').after)).toEqual([]);
  expect(own(diff('', 'new').after)).toEqual(['new']);
});

it('compares texts too long for words as wholes', () => {
  const long = 'a '.repeat(3000);
  expect(own(diff(long, `${long}b`).after)).toEqual([`${long}b`]);
});

it('lays out JSON and leaves the rest', () => {
  expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(pretty('{"a":')).toBe('{"a":');
  expect(pretty(' 안녕하세요 ')).toBe('안녕하세요');
});
