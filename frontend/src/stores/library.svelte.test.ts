import { expect, it } from 'vitest';

import type { LibraryShelf } from '$lib/api/types';
import { snapshot } from '../test/shapes';

import { cut, Library } from './library.svelte';

const passage = { start: 10, text: '제1조 목적 abc' };

it.each([
  [10, 17, { before: '', inside: '제1조', after: ' 목적 abc' }],
  [18, 24, { before: '제1조 ', inside: '목적', after: ' abc' }],
  [0, 10, { before: '', inside: '', after: '제1조 목적 abc' }],
  [0, 1000, { before: '', inside: '제1조 목적 abc', after: '' }],
  [900, 1000, { before: '제1조 목적 abc', inside: '', after: '' }],
])('finds the bytes %d to %d', (start, end, want) => {
  expect(cut(passage, start, end)).toEqual(want);
});

const shelf = (id: string, more: Partial<LibraryShelf> = {}): LibraryShelf => ({
  id,
  title: id,
  path: `/${id}`,
  rule: 'ask',
  state: 'following',
  files: 0,
  read: 0,
  waiting: 0,
  refused: 0,
  gone: 0,
  kept: 0,
  leftOut: 0,
  other: 0,
  found: 0,
  hashed: 0,
  ...more,
});

it('has the shelves as they were and as they become, each in its place, until they are taken away', () => {
  const library = new Library();
  library.begin(snapshot({ shelves: [shelf('a'), shelf('b')] }));
  const hear = (data: LibraryShelf) =>
    library.apply({ seq: 1, time: '', kind: 'library.shelf', data });
  hear(shelf('a', { read: 3 }));
  hear(shelf('c'));
  expect(library.shelves.map((s) => [s.id, s.read])).toEqual([
    ['a', 3],
    ['b', 0],
    ['c', 0],
  ]);
  hear(shelf('b', { removed: true }));
  hear(shelf('d', { removed: true }));
  expect(library.shelves.map((s) => s.id)).toEqual(['a', 'c']);
});
