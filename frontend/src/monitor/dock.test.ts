import { beforeEach, describe, expect, it } from 'vitest';

import { Dock, LOWEST } from './dock.svelte';

describe('Dock', () => {
  beforeEach(() => localStorage.clear());

  it('opens when something plays, as long as nobody decided otherwise', () => {
    const dock = new Dock();
    expect(dock.isOpen(false)).toBe(false);
    expect(dock.isOpen(true)).toBe(true);
  });

  it('stays as a person left it, also the next time', () => {
    const dock = new Dock();
    dock.toggle(true);
    expect(dock.isOpen(true)).toBe(false);
    expect(new Dock().isOpen(true)).toBe(false);
    dock.toggle(true);
    expect(dock.wish).toBe('auto');
    dock.toggle(false);
    expect(dock.isOpen(false)).toBe(true);
  });

  it('takes its share of the window, or the height it was given', () => {
    const dock = new Dock();
    expect(dock.height(520)).toBe(LOWEST);
    expect(dock.height(840)).toBe(265);
    expect(dock.height(2000)).toBe(320);
    dock.resize(500);
    expect(new Dock().height(1000)).toBe(500);
    expect(dock.height(600)).toBe(372);
    dock.resize(10);
    expect(dock.height(1000)).toBe(LOWEST);
    dock.resize(0);
    expect(dock.height(840)).toBe(265);
  });
});
