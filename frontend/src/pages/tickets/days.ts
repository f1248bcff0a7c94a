import type { TicketFilter } from '$lib/api/types';

type Days = Pick<TicketFilter, 'from' | 'to'>;

/** Spans of days that end today, by how many days ago they begin and end. */
export const spans = {
  today: [0, 0],
  yesterday: [1, 1],
  week: [6, 0],
  month: [29, 0],
} as const;
export type Span = keyof typeof spans;

const name = (at: Date): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;

/** The day that was so many days before another, as a filter names it. */
const ago = (days: number, now: Date): string =>
  name(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));

/** The days of a span. */
export const daysOf = (span: Span, now = new Date()): Required<Days> => ({
  from: ago(spans[span][0], now),
  to: ago(spans[span][1], now),
});

/** Which span a filter names; 'chosen' for other days, '' for none. */
export function spanOf({ from, to }: Days, now = new Date()): Span | 'chosen' | '' {
  if (!from && !to) return '';
  const is = (span: Span) => daysOf(span, now).from === from && daysOf(span, now).to === to;
  return (Object.keys(spans) as Span[]).find(is) ?? 'chosen';
}

/** Whether a text names a day whole: where there is no calendar to choose from, it is typed. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
