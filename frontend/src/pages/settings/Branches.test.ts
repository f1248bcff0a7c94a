import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';

import type { BranchesView } from '$lib/api/types';
import { shop } from '$stores/shop.svelte';

import Branches from './Branches.svelte';

const branch = (id: string) => ({
  id,
  name: id,
  role: 'lends',
  state: 'here',
  since: '0001-01-01T00:00:00Z',
  address: `${id}:8739`,
  tools: [],
});

it('starts the dialog of an address in its field, and leaves that of another branch open once one has moved', async () => {
  vi.spyOn(shop.branches, 'watch').mockReturnValue(() => undefined);
  shop.branches.view = { branches: [branch('north'), branch('south')] } as unknown as BranchesView;
  let moved: () => void = () => undefined;
  vi.spyOn(shop.branches, 'move').mockReturnValue(new Promise((done) => (moved = done)));
  render(Branches);
  const ask = async (name: string) => {
    await fireEvent.click(
      screen.getByRole('button', { name: new RegExp(`${name}.*주소|of ${name}`) }),
    );
    const form = await screen.findByTestId('branch-move');
    const field = form.querySelector('input');
    await vi.waitFor(() => expect(document.activeElement).toBe(field));
    expect(field?.value).toBe(`${name}:8739`);
    return form;
  };
  await fireEvent.submit(await ask('north'));
  await fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  await vi.waitFor(() => expect(screen.queryByTestId('branch-move')).toBeNull());
  await ask('south');
  moved();
  await vi.waitFor(() =>
    expect(document.querySelector<HTMLButtonElement>('[form="branch-move"]')?.disabled).toBe(false),
  );
  expect(screen.queryByTestId('branch-move')).not.toBeNull();
  await fireEvent.submit(screen.getByTestId('branch-move'));
  moved();
  await vi.waitFor(() => expect(screen.queryByTestId('branch-move')).toBeNull());
});
