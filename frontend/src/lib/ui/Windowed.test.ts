import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { describe, expect, it, vi } from 'vitest';

import Windowed from './Windowed.svelte';

describe('Windowed', () => {
  const children = createRawSnippet<[number]>((place) => ({
    render: () => `<p class="row">${place()}</p>`,
  }));
  const rows = () => [...document.querySelectorAll('.row')].map((r) => Number(r.textContent));

  // jsdom lays nothing out: the box has no height, and what is drawn is what is spare.
  it('draws what is in sight, wherever that is', async () => {
    const onseen = vi.fn();
    const onscrolled = vi.fn();
    render(Windowed, { length: 20_000, row: 2, children, onseen, onscrolled, role: 'list' });
    const box = screen.getByRole('list');
    expect(rows()[0]).toBe(0);
    expect(rows().length).toBeLessThan(40);
    box.scrollTop = 32 * 10_000;
    await fireEvent.scroll(box);
    expect(rows()).toContain(10_000);
    expect(rows().length).toBeLessThan(40);
    expect(onseen).toHaveBeenLastCalledWith(rows().at(-1)! + 1);
    expect(onscrolled).toHaveBeenLastCalledWith(false);
    box.scrollTop = 0;
    await fireEvent.scroll(box);
    expect(onscrolled).toHaveBeenLastCalledWith(true);
  });

  it('is gone through by keyboard, to its ends and no further', async () => {
    const onmove = vi.fn();
    let at = -1;
    render(Windowed, { length: 3, row: 2, children, onmove, current: () => at, role: 'list' });
    const box = screen.getByRole('list');
    await fireEvent.keyDown(box, { key: 'ArrowDown' });
    at = 2;
    await fireEvent.keyDown(box, { key: 'ArrowDown' });
    await fireEvent.keyDown(box, { key: 'ArrowUp' });
    await fireEvent.keyDown(box, { key: 'a' });
    expect(onmove.mock.calls).toEqual([[0], [2], [1]]);
  });
});
