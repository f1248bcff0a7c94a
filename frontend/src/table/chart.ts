import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

import type { TableAnswer } from '$lib/api/types';

import { shown } from './figures';

/** What is drawn of one row: where a float is near enough, for nobody reads a figure off a picture. */
export interface Point {
  name: string;
  label: string;
  value: number;
}

/** The columns whose figures an answer draws, each in a picture of its own: what they count may be far apart. */
export function drawnOf({ chart }: TableAnswer): number[] {
  return chart ? [chart.y, ...(chart.also ?? [])] : [];
}

/** The points of the figures in a column of an answer. A row without a figure has none. */
export function pointsOf(answer: TableAnswer, y = answer.chart?.y ?? 0): Point[] {
  const { chart, columns } = answer;
  if (!chart) return [];
  return answer.rows.flatMap((row) => {
    const [name = '', figure = ''] = [row[chart.x], row[y]];
    const value = Number(figure);
    if (figure === '' || !Number.isFinite(value)) return [];
    return [{ name, label: shown(columns[y], figure), value }];
  });
}

/** Bars that lie, from nothing to their figures, over a width in px. */
export function barsOf(points: Point[], width: number) {
  const values = points.map((p) => p.value);
  const scale = scaleLinear([Math.min(0, ...values), Math.max(0, ...values)], [0, width]);
  const zero = scale(0);
  return {
    zero,
    bars: points.map((point) => {
      const to = scale(point.value);
      return { point, x: Math.min(zero, to), width: Math.max(Math.abs(to - zero), 1) };
    }),
  };
}

/** When a day, month or year began; undefined for what is none. */
function dayOf(name: string): number | undefined {
  if (!/^\d{4}(-\d{2}(-\d{2})?)?/.test(name)) return undefined;
  const at = Date.parse(name.replace(' ', 'T') + (name.length > 10 ? 'Z' : ''));
  return Number.isNaN(at) ? undefined : at;
}

/** So many names stand below a line at most. */
const NAMES = 6;

/** A line through the figures, over a width and a height in px. Days stand as far apart as they are. */
export function lineOf(points: Point[], width: number, height: number) {
  const values = points.map((p) => p.value);
  const y = scaleLinear([Math.min(0, ...values), Math.max(0, ...values)], [height, 0]).nice(4);
  const days = points.map((p) => dayOf(p.name));
  const first = days[0];
  const last = days.at(-1);
  const time =
    first !== undefined && last !== undefined && first < last && !days.includes(undefined)
      ? scaleLinear([first, last], [0, width])
      : undefined;
  const x = (i: number) => {
    const day = days[i];
    return time && day !== undefined ? time(day) : (i * width) / Math.max(points.length - 1, 1);
  };
  const dots = points.map((point, i) => ({ point, x: x(i), y: y(point.value) }));
  const path =
    line<(typeof dots)[number]>(
      (d) => d.x,
      (d) => d.y,
    )(dots) ?? '';
  const step = Math.ceil(dots.length / NAMES);
  const names = dots.filter((_, i) => i % step === 0);
  const ticks = y.ticks(4).map((value) => ({ value, y: y(value) }));
  return { path, dots, names, ticks };
}
