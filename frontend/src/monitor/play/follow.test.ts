import { describe, expect, it } from 'vitest';

import { follow, leads } from './follow';

const player = { position: 10, duration: 60, seeking: false, ended: false };
const clock = { position: 10, seconds: 60, rate: 1 };

describe('follow', () => {
  it('leaves a player alone that is close enough', () => {
    expect(follow({ ...clock, position: 11.4 }, player)).toEqual({ rate: 1, silent: false });
  });

  it.each([12, 8])('jumps when the clock is at %s and the player at 10', (position) => {
    expect(follow({ ...clock, position }, player).seek).toBe(position);
  });

  it('plays up to four times faster, and beyond that only jumps along, silently', () => {
    expect(follow({ ...clock, rate: 2 }, player)).toMatchObject({ rate: 2, silent: false });
    expect(follow({ ...clock, rate: 4 }, player)).toMatchObject({ rate: 4, silent: false });
    expect(follow({ ...clock, rate: 60 }, player)).toMatchObject({ rate: 4, silent: true });
    expect(follow({ ...clock, rate: 0.01 }, player).rate).toBe(0.0625);
    expect(follow({ ...clock, rate: 0 }, player).rate).toBe(1);
  });

  it('does not jump while it jumps, nor when it is over', () => {
    const far = { ...clock, position: 50 };
    expect(follow(far, { ...player, seeking: true }).seek).toBeUndefined();
    expect(follow(far, { ...player, ended: true }).seek).toBeUndefined();
  });

  it('never jumps past the end of the file', () => {
    const step = follow({ ...clock, position: 180, seconds: 180 }, player);
    expect(step.seek).toBeCloseTo(59.95);
  });

  it('waits for the length of a file nobody knows yet', () => {
    const unknown = { ...player, position: 0, duration: NaN };
    expect(follow({ position: 30, seconds: 0, rate: 1 }, unknown).seek).toBe(30);
  });
});

it('leads the clock in real time only', () => {
  expect(leads(clock)).toBe(true);
  expect(leads({ ...clock, rate: 2 })).toBe(false);
});
