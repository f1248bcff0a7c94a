import { beforeEach, describe, expect, it, vi } from 'vitest';

import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

import { sheetView } from '../test/shapes';
import { Arrival } from './arrival';

describe('who comes back', () => {
  let arrival: Arrival;
  const back = (until: string, fresh = true) => sheetView({ until, fresh });
  beforeEach(() => {
    vi.useFakeTimers();
    vi.advanceTimersByTime(60_000);
    view.drafts = {};
    document.body.innerHTML = '';
    arrival = new Arrival();
  });

  it('finds the sheet, once for each time', () => {
    expect(arrival.opens(back('1'))).toBe(true);
    expect(arrival.opens(back('1'))).toBe(false);
    vi.advanceTimersByTime(3_600_000);
    expect(arrival.opens(back('2'))).toBe(true);
  });

  it('finds it also when the question comes a little later, not when they have settled', () => {
    expect(arrival.opens(back('1', false))).toBe(false);
    vi.advanceTimersByTime(3_000);
    expect(arrival.opens(back('1'))).toBe(true);
    expect(arrival.opens(back('2', false))).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(arrival.opens(back('2'))).toBe(false);
  });

  it('is not there yet while the absence lasts', () => {
    expect(arrival.opens(sheetView({ fresh: true }))).toBe(false);
    expect(arrival.opens(back('1'))).toBe(true);
  });

  it('is left alone who writes, was just at something, or was led elsewhere', () => {
    view.drafts[shop.chats.currentId] = 'half a wish';
    expect(arrival.opens(back('1'))).toBe(false);
    view.drafts = {};
    arrival.touch();
    vi.advanceTimersByTime(2_000);
    expect(arrival.opens(back('2'))).toBe(false);
    vi.advanceTimersByTime(60_000);
    document.body.innerHTML = '<div role="dialog"></div>';
    expect(arrival.opens(back('3'))).toBe(false);
    document.body.innerHTML = '';
    expect(arrival.opens(back('3', false))).toBe(false);
    arrival.touch();
    expect(arrival.opens(back('3'))).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(arrival.opens(back('4'))).toBe(true);
  });
});
