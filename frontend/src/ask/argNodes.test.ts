import { expect, it } from 'vitest';

import { another, lines, NotANumber, nodeOf, valueOf } from './argNodes';

const nested = {
  to: '엄마',
  amount: 5000,
  loud: false,
  memo: null,
  rows: [{ name: 'a', n: 1, tags: ['x'] }],
  place: { city: 'Seoul', at: [37.5, 127] },
};

it('takes a value apart and puts it together again', () => {
  expect(valueOf(nodeOf(nested))).toEqual(nested);
  expect(valueOf(nodeOf([]))).toEqual([]);
  expect(valueOf(nodeOf({}))).toEqual({});
});

it('gives a list one more of its kind, with nothing in it', () => {
  const rows = nodeOf(nested.rows);
  rows.items.push(another(rows));
  rows.items[1]!.items[1]!.text = '2';
  expect(valueOf(rows)).toEqual([nested.rows[0], { name: '', n: 2, tags: [] }]);
  expect(another(nodeOf([])).kind).toBe('text');
  const emptied = nodeOf([1, 2]);
  emptied.items = [];
  expect(another(emptied).kind).toBe('number');
});

it('says which field is no number', () => {
  const node = nodeOf(nested);
  const amount = node.items[1]!;
  for (const text of ['', 'many', '1,000']) {
    amount.text = text;
    expect(() => valueOf(node)).toThrow(NotANumber);
  }
});

it('writes what is inside on lines of its own, and no text looks like more than one', () => {
  expect(lines('as\nit is')).toBe('as\nit is');
  expect(lines(5000)).toBe('5000');
  expect(lines(nested.place)).toBe('city: Seoul\nat:\n  • 37.5\n  • 127');
  expect(lines({ a: [], b: {}, c: null })).toBe('a: []\nb: {}\nc: null');
  expect(lines(['one\n• two'])).toBe('• "one\\n• two"');
});
