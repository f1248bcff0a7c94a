import { beforeEach, describe, expect, it } from 'vitest';

import { Dock } from './dock.svelte';

describe('Dock', () => {
  beforeEach(() => localStorage.clear());

  it('never opens by itself', () => {
    const dock = new Dock();
    expect(dock.isOpen(false)).toBe(false);
    expect(dock.isOpen(true)).toBe(false);
  });

  it('stays as a person left it, also the next time, and is nothing while nothing plays', () => {
    const dock = new Dock();
    dock.toggle(true);
    expect(dock.isOpen(true)).toBe(true);
    expect(new Dock().isOpen(true)).toBe(true);
    expect(dock.isOpen(false)).toBe(false);
    dock.toggle(true);
    expect(new Dock().isOpen(true)).toBe(false);
  });

  it('makes room for a question, and opens again for who asks', () => {
    const dock = new Dock();
    dock.toggle(true);
    dock.large = true;
    dock.fold();
    expect([dock.isOpen(true), dock.large]).toEqual([false, false]);
    expect(new Dock().isOpen(true)).toBe(true);
    dock.toggle(true);
    expect(dock.isOpen(true)).toBe(true);
  });

  it('takes its share of the window, or the height it was given, and leaves the rest to the conversation', () => {
    const dock = new Dock();
    expect(dock.height(520)).toBe(124);
    expect(dock.height(840)).toBe(210);
    expect(dock.height(2000)).toBe(320);
    dock.resize(500);
    expect(new Dock().height(2000)).toBe(500);
    expect(dock.height(600)).toBe(156);
    dock.resize(10);
    expect(dock.height(1000)).toBe(dock.lowest);
    dock.resize(0);
    expect(dock.height(840)).toBe(210);
  });
});
