import { describe, expect, it } from 'vitest';

import { barsOf, drawnOf, lineOf, pointsOf } from './chart';
import { commas, shown } from './figures';

describe('figures', () => {
  it('keeps every digit', () => {
    expect(commas('12345678901234567.89')).toBe('12,345,678,901,234,567.89');
    expect(commas('-1000')).toBe('-1,000');
    expect(commas('999')).toBe('999');
  });
  it('writes what is counted where people do', () => {
    const of = (unit: string) => ({ name: 'x', kind: 'number' as const, unit });
    expect(shown(of('$'), '-1234.5')).toBe('-$1,234.5');
    expect(shown(of('원'), '1234')).toBe('1,234원');
    expect(shown(of('kg'), '1234')).toBe('1,234 kg');
    expect(shown({ name: 'x', kind: 'text' }, '1234')).toBe('1234');
    expect(shown(of('원'), '미정')).toBe('미정');
  });
});

const answer = {
  table: 't.csv',
  query: {},
  columns: [
    { name: '달', kind: 'date' as const },
    { name: '합계', kind: 'number' as const },
  ],
  rows: [
    ['2026-01', '10'],
    ['2026-02', '-5'],
    ['2026-03', ''],
    ['2026-04', '20'],
  ],
  used: { count: 4, columns: [], rows: [] },
  chart: { kind: 'line' as const, x: 0, y: 1 },
};

describe('charts', () => {
  it('draws what has a figure, and no more', () => {
    expect(pointsOf(answer).map((p) => p.value)).toEqual([10, -5, 20]);
  });
  it('draws each of several figures by itself', () => {
    const two = {
      ...answer,
      columns: [...answer.columns, { name: '개수', kind: 'number' as const }],
      rows: [['2026-01', '10', '3']],
      chart: { ...answer.chart, also: [2] },
    };
    expect(drawnOf(two)).toEqual([1, 2]);
    expect(pointsOf(two, 2).map((p) => p.value)).toEqual([3]);
  });
  it('gives bars both ways from nothing', () => {
    const { bars, zero } = barsOf(pointsOf(answer), 300);
    expect(bars).toHaveLength(3);
    expect(bars[0]!.x).toBeCloseTo(zero);
    expect(bars[1]!.x + bars[1]!.width).toBeCloseTo(zero);
    expect(bars[2]!.width).toBeGreaterThan(bars[0]!.width);
  });
  it('puts points at their days', () => {
    const line = lineOf(pointsOf(answer), 300, 100);
    expect(line.path.startsWith('M')).toBe(true);
    expect(line.dots).toHaveLength(3);
    expect(line.dots[0]!.x).toBeLessThan(line.dots[1]!.x);
    expect(line.ticks.length).toBeGreaterThan(1);
  });
});
