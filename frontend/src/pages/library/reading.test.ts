import { describe, expect, it } from 'vitest';

import { findIn, lineup, pieces } from './reading';

const passages = lineup(
  [
    { page: 1, start: 0, text: '제1조(목적) 계약금 10% (a+b).' },
    { page: 2, start: 40, text: '계약금은\n 계약  금액의 일부다. CONTRACT' },
  ],
  0,
  5,
);
const found = (words: string) =>
  findIn(passages, words).map((h) => {
    const p = passages[h.passage];
    return `${p?.before}${p?.inside}${p?.after}`.slice(h.from, h.to);
  });

describe('find in a document', () => {
  it('finds each place, in any case and across any space', () => {
    expect(found('계약금')).toEqual(['계약금', '계약금']);
    expect(found('contract')).toEqual(['CONTRACT']);
    expect(found('계약금은 계약 금액')).toEqual(['계약금은\n 계약  금액']);
    expect(found('계약금'.normalize('NFD'))).toHaveLength(2);
  });
  it('takes signs for what they are', () => {
    expect(found('(a+b).')).toEqual(['(a+b).']);
    expect(found('[')).toEqual([]);
    expect(found('-')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });
  it('cuts a passage at what was found, and loses no letter of it', () => {
    const hits = findIn(passages, '계약금');
    const [first] = passages;
    if (!first) throw new Error('no passage');
    const cut = pieces(first, hits.slice(0, 1), hits[0]);
    expect(cut.map((c) => c.as)).toEqual(['plain', 'now', 'plain']);
    expect(cut.map((c) => c.text).join('')).toBe('제1조(목적) 계약금 10% (a+b).');
    expect(pieces(first, undefined).map((c) => c.as)).toEqual(['named', 'plain']);
  });
});
