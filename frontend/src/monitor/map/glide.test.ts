import { describe, expect, it } from 'vitest';

import { Glide } from './glide';

describe('Glide', () => {
  it('starts where the first report says and goes on at its pace', () => {
    const glide = new Glide();
    glide.report(0.2, 0.01, 0);
    expect(glide.at(0)).toBeCloseTo(0.2);
    expect(glide.at(500)).toBeCloseTo(0.205);
    expect(glide.at(1000)).toBeCloseTo(0.21);
    expect(glide.moving(500)).toBe(true);
    expect(glide.moving(1000)).toBe(false);
  });

  it('takes a late or early report without a jump', () => {
    const glide = new Glide();
    glide.report(0, 0.1, 0);
    const before = glide.at(900);
    glide.report(0.05, 0.1, 900);
    expect(glide.at(900)).toBeCloseTo(before);
    expect(glide.at(1900)).toBeCloseTo(0.15);
  });

  it('waits where it is when no report comes, and at the end', () => {
    const glide = new Glide();
    glide.report(0.98, 0.1, 0);
    expect(glide.at(60_000)).toBe(1);
    glide.report(1, 0.1, 60_000);
    expect(glide.moving(60_100)).toBe(false);
  });

  it('stands still where it is asked to', () => {
    const glide = new Glide();
    glide.report(0.3, 0.1, 0, true);
    expect(glide.at(0)).toBe(0.3);
    expect(glide.at(900)).toBe(0.3);
    expect(glide.moving(0)).toBe(false);
  });

  it('begins a new journey at its beginning', () => {
    const glide = new Glide();
    glide.report(0.9, 0.01, 0);
    glide.reset();
    glide.report(0.1, 0.01, 100);
    expect(glide.at(100)).toBeCloseTo(0.1);
  });

  it('survives numbers that are none', () => {
    const glide = new Glide();
    glide.report(NaN, NaN, 0);
    expect(glide.at(500)).toBe(0);
  });
});
