import { fireEvent, render, screen } from '@testing-library/svelte';
import ClipboardList from '@lucide/svelte/icons/clipboard-list';
import { createRawSnippet } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { Pages } from '$stores/pages.svelte';

import LedgerEntry from './LedgerEntry.svelte';
import LedgerList from './LedgerList.svelte';

const text = {
  failed: 'The ledger could not be read.',
  loading: 'Opening it.',
  none: 'Nothing stands in it.',
  noneSuch: 'Nothing is like that.',
  clear: 'Show all',
  end: 'That is all.',
  more: 'Older',
};

interface Row {
  n: number;
}

class Ledger extends Pages<Row, { tool?: string }> {
  protected readonly size = 2;
  protected page = vi.fn<(filter: { tool?: string }, behind?: Row) => Promise<Row[]>>();
  says = (...rows: number[]) => this.page.mockResolvedValueOnce(rows.map((n) => ({ n })));
}

describe('a ledger', () => {
  let ledger: Ledger;
  const open = () =>
    render(LedgerList<Row, { tool?: string }>, {
      of: ledger,
      text,
      icon: ClipboardList,
      children: createRawSnippet<[Row]>((row) => ({ render: () => `<li>line ${row().n}</li>` })),
    });
  const lines = () => screen.queryAllByRole('listitem').map((li) => li.textContent);

  beforeEach(() => {
    ledger = new Ledger();
  });

  it('shows its lines, and fetches what is older until there is nothing before', async () => {
    open();
    expect(screen.getByRole('status').textContent).toBe(text.loading);
    ledger.says(9, 8);
    await ledger.load();
    await vi.waitFor(() => expect(lines()).toEqual(['line 9', 'line 8']));
    ledger.says(7);
    await fireEvent.click(screen.getByRole('button', { name: text.more }));
    await vi.waitFor(() => expect(lines()).toEqual(['line 9', 'line 8', 'line 7']));
    expect(screen.getByText(text.end)).toBeTruthy();
  });

  it('shows everything again where a filter leaves nothing', async () => {
    open();
    ledger.says();
    await ledger.load({ tool: 'timer' });
    const all = await screen.findByRole('button', { name: text.clear });
    ledger.says(3);
    await fireEvent.click(all);
    await vi.waitFor(() => expect(lines()).toEqual(['line 3']));
    expect(ledger.filter).toEqual({});
  });

  it('shows the particulars of a line once it is opened', async () => {
    const snippet = (html: string) => createRawSnippet(() => ({ render: () => html }));
    render(LedgerEntry, { head: snippet('<b>a call</b>'), children: snippet('<dt>why</dt>') });
    expect(screen.queryByText('why')).toBeNull();
    const details = screen.getByRole<HTMLDetailsElement>('group');
    details.open = true;
    await fireEvent(details, new Event('toggle'));
    expect(screen.getByText('why')).toBeTruthy();
  });
});
