import { expect, it } from 'vitest';

import { daysOf, isDay, spanOf } from './days';

const now = new Date(2026, 2, 1, 0, 30);

it('names days by the calendar of whoever looks', () => {
  expect(daysOf('today', now)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  expect(daysOf('yesterday', now)).toEqual({ from: '2026-02-28', to: '2026-02-28' });
  expect(daysOf('week', now)).toEqual({ from: '2026-02-23', to: '2026-03-01' });
  expect(daysOf('month', now)).toEqual({ from: '2026-01-31', to: '2026-03-01' });
});

it('knows a span again', () => {
  expect(spanOf({}, now)).toBe('');
  expect(spanOf(daysOf('week', now), now)).toBe('week');
  expect(spanOf({ from: '2026-02-23' }, now)).toBe('chosen');
});

it('takes whole days only', () => {
  expect(['2026-03-01', '2026-3-1', '2026-13-01', 'soon', ''].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
