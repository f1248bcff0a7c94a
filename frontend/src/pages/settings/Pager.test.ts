import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, expect, it, vi } from 'vitest';

import { api, type PagerInvitation } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';

import Pager from './Pager.svelte';

const invitation = (address: string): PagerInvitation => ({
  ways: [{ address, link: `https://${address}/#code`, size: 8, path: 'M0 0h1v1h-1z' }],
  until: new Date(Date.now() + 60_000).toISOString(),
});

beforeEach(() => {
  language.current = 'en';
  shop.pager.view = undefined;
  const view = { open: true, listens: true, port: 7, fingerprint: 'AA', phones: [] };
  vi.spyOn(api, 'pager').mockResolvedValue(view);
});

it('says that there is no network, draws nothing and lets nobody in by it', async () => {
  const invite = vi.spyOn(api, 'invitePhone').mockResolvedValue(invitation('127.0.0.1:7'));
  const uninvite = vi.spyOn(api, 'uninvitePhone').mockResolvedValue(undefined);
  render(Pager);
  const pair = await screen.findByRole('button', { name: 'Pair a phone' });
  await fireEvent.click(pair);
  await screen.findByText(/not on a network/);
  expect(uninvite).toHaveBeenCalledTimes(1);
  expect(screen.queryByTestId('invitation')).toBeNull();
  expect(screen.queryByText(/Point your phone/)).toBeNull();

  invite.mockResolvedValue(invitation('192.168.0.5:7'));
  await fireEvent.click(pair);
  await screen.findByTestId('invitation');
  expect(screen.getByRole('img', { name: 'Picture for pairing' })).toBeTruthy();
  expect(screen.queryByText(/not on a network/)).toBeNull();
});
