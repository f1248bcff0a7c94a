import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api, ApiError, type UpdateView } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';

import UpdateQuestion from '../chat/UpdateQuestion.svelte';
import UpdateRow from './UpdateRow.svelte';

let view: UpdateView;

function has(more: Partial<UpdateView>): void {
  view = { state: 'idle', current: '0.1.0', changes: [], kind: 'deb', ...more };
}

beforeEach(() => {
  language.current = 'en';
  shop.updates.view = undefined;
  vi.spyOn(api, 'update').mockImplementation(() => Promise.resolve(view));
});

describe('UpdateRow', () => {
  it('says that a program without an address looks nowhere, and offers nothing', async () => {
    has({ state: 'nowhere' });
    render(UpdateRow);
    expect((await screen.findByTestId('update')).textContent).toContain('does not know');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('looks, shows what is new, downloads, and says how to install it', async () => {
    has({});
    vi.spyOn(api, 'lookForUpdate').mockImplementation(() => {
      has({ state: 'newer', version: '0.2.0', changes: ['Quicker'], file: 'a.deb', bytes: 3e6 });
      return Promise.resolve(view);
    });
    vi.spyOn(api, 'fetchUpdate').mockImplementation(() => {
      has({
        state: 'fetched',
        version: '0.2.0',
        changes: ['Quicker'],
        path: '/p/a.deb',
        command: "sudo apt install '/p/a.deb'",
      });
      return Promise.resolve(view);
    });
    const open = vi.spyOn(api, 'openUpdate').mockResolvedValue(undefined);
    render(UpdateRow);
    await fireEvent.click(await screen.findByTestId('update-look'));
    expect((await screen.findByTestId('update-changes')).textContent).toBe('Quicker');
    await fireEvent.click(screen.getByTestId('update-fetch'));
    expect((await screen.findByTestId('update-command')).textContent).toBe(
      "sudo apt install '/p/a.deb'",
    );
    await fireEvent.click(screen.getByText('Open the folder'));
    expect(open).toHaveBeenCalledOnce();
  });

  it('follows what happens meanwhile, and cannot be pressed twice', async () => {
    has({ state: 'newer', version: '0.2.0', file: 'a.deb', bytes: 3e6 });
    render(UpdateRow);
    await screen.findByTestId('update-fetch');
    has({ state: 'fetching', version: '0.2.0', file: 'a.deb', bytes: 3e6, done: 1e6 });
    shop.updates.apply({ seq: 1, time: '', kind: 'update.changed', data: {} });
    await waitFor(() => expect(screen.getByTestId('update').dataset.state).toBe('fetching'));
    expect(screen.getByTestId<HTMLButtonElement>('update-fetch').disabled).toBe(true);
    expect(screen.getByTestId('update').textContent).toMatch(/1(\.0)? MB of 3(\.0)? MB/);
  });

  it('says so where a newer version has no package for this computer', async () => {
    has({ state: 'newer', version: '0.2.0' });
    render(UpdateRow);
    expect((await screen.findByTestId('update')).textContent).toContain('not as a package');
    expect(screen.queryByTestId('update-fetch')).toBeNull();
  });

  it('shows a refusal as its sentence', async () => {
    has({});
    const refusal = new ApiError('update_refused', 'The list of versions cannot be trusted.', {});
    vi.spyOn(api, 'lookForUpdate').mockRejectedValue(refusal);
    const { toasts } = await import('$stores/toasts.svelte');
    render(UpdateRow);
    await fireEvent.click(await screen.findByTestId('update-look'));
    await waitFor(() => expect(toasts.list.map((t) => t.text).join()).toContain(refusal.message));
  });
});

describe('UpdateQuestion', () => {
  const settings = (updates: string) =>
    vi.spyOn(shop.settings, 'text').mockImplementation((key) => (key === 'updates' ? updates : ''));

  it('asks once, and keeps the answer', async () => {
    has({});
    settings('ask');
    const set = vi.spyOn(shop.settings, 'set').mockResolvedValue(undefined);
    render(UpdateQuestion);
    await fireEvent.click(await screen.findByText('Do not check'));
    expect(set).toHaveBeenCalledWith({ updates: 'off' });
  });

  it('does not ask where nothing could be found, or when it was answered', async () => {
    settings('ask');
    has({ state: 'nowhere' });
    const first = render(UpdateQuestion);
    await waitFor(() => expect(shop.updates.view).toBeDefined());
    expect(screen.queryByTestId('update-question')).toBeNull();
    first.unmount();
    settings('off');
    has({});
    render(UpdateQuestion);
    expect(screen.queryByTestId('update-question')).toBeNull();
  });
});
