import { describe, expect, it } from 'vitest';

import { grouped, nameOf, pickOf, rowsOf, type PlanLine } from './plan';

const line = (from: string, to: string): PlanLine => ({ from, to });
const lines = [
  line('문서/가.pdf', '문서/문서/가.pdf'),
  line('문서/나.png', '문서/사진/나.png'),
  line('문서/다.PDF', '문서/문서/다.PDF'),
  line('문서/라.txt', ''),
];

describe('a plan', () => {
  it('stands by where its lines lead, in their order', () => {
    expect(grouped(lines, '')).toEqual([
      { folder: '문서/문서', lines: [0, 2] },
      { folder: '문서/사진', lines: [1] },
      { folder: '문서', lines: [3] },
    ]);
  });

  it('is searched by both names, whatever their case', () => {
    expect(grouped(lines, ' pdf ').flatMap((g) => g.lines)).toEqual([0, 2]);
    expect(grouped(lines, '사진').flatMap((g) => g.lines)).toEqual([1]);
    expect(grouped(lines, 'zip')).toEqual([]);
  });

  it('shows of a folded group its head alone', () => {
    const groups = grouped(lines, '');
    expect(rowsOf(groups, new Set()).length).toBe(7);
    expect(rowsOf(groups, new Set(['문서/문서'])).map((r) => r.line)).toEqual([
      undefined,
      undefined,
      1,
      undefined,
      3,
    ]);
  });

  it('tells nothing when all of it is approved as it was shown', () => {
    expect(pickOf(new Set(), new Map())).toBeUndefined();
    expect(
      pickOf(
        new Set([2, 0]),
        new Map([
          [2, 'x'],
          [1, 'y.png'],
        ]),
      ),
    ).toEqual({ leave: [0, 2], names: [{ line: 1, name: 'y.png' }] });
  });

  it('knows the name at the end of a path', () => {
    expect(nameOf('문서/가.pdf')).toBe('가.pdf');
    expect(nameOf('가.pdf')).toBe('가.pdf');
  });
});
