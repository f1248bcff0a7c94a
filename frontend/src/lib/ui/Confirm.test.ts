import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { describe, expect, it, vi } from 'vitest';

import Confirm from './Confirm.svelte';

describe('Confirm', () => {
  const onact = vi.fn();
  const open = (of: { name: string } | undefined) =>
    render(Confirm<{ name: string }>, {
      of,
      title: 'Delete it?',
      keep: 'Keep it',
      act: 'Delete',
      onact,
      children: createRawSnippet<[{ name: string }]>((of) => ({
        render: () => `<p>${of().name} goes.</p>`,
      })),
    });
  const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  it('asks nothing while there is nothing to ask about', () => {
    open(undefined);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('names what goes, and does it once', async () => {
    open({ name: 'Mum' });
    expect((await screen.findByRole('dialog', { name: 'Delete it?' })).textContent).toContain(
      'Mum goes.',
    );
    await fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await gone();
    expect(onact.mock.calls).toEqual([[{ name: 'Mum' }]]);
  });

  it('does nothing when one keeps it', async () => {
    onact.mockClear();
    open({ name: 'Mum' });
    await fireEvent.click(await screen.findByRole('button', { name: 'Keep it' }));
    await gone();
    expect(onact).not.toHaveBeenCalled();
  });
});
