import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, it } from 'vitest';

import Segmented from './Segmented.svelte';
import Tabs from './Tabs.svelte';

const all = ['a', 'b', 'c'].map((id) => ({ id, label: id, value: id }));

it('shows the panel that keys lead to, round the ends', async () => {
  render(Tabs, {
    tabs: all,
    label: 'parts',
    chosen: 'a',
    children: createRawSnippet<[string]>((id) => ({ render: () => `<p>panel ${id()}</p>` })),
  });
  const press = async (key: string) => {
    await fireEvent.keyDown(screen.getByRole('tablist'), { key });
    const tab = screen.getByRole('tab', { selected: true });
    expect(document.activeElement).toBe(tab);
    expect(screen.getByRole('tabpanel', { name: tab.textContent }).id).toBe(
      tab.getAttribute('aria-controls'),
    );
    return tab.textContent;
  };
  expect(await press('ArrowRight')).toBe('b');
  expect(await press('End')).toBe('c');
  expect(await press('ArrowRight')).toBe('a');
  expect(await press('ArrowLeft')).toBe('c');
  expect(await press('Home')).toBe('a');
});

it('goes through a row of choices by the same keys', async () => {
  const chosen: string[] = [];
  render(Segmented, {
    value: 'c',
    options: all,
    label: 'x',
    onchange: (v: string) => chosen.push(v),
  });
  for (const key of ['ArrowDown', 'ArrowUp', 'x'])
    await fireEvent.keyDown(screen.getByRole('radiogroup'), { key });
  expect(chosen).toEqual(['a', 'b']);
});
