import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';

import { listedServer as server } from '../../test/shapes';

import Servers from './Servers.svelte';

describe('Servers', () => {
  beforeEach(() => {
    language.current = 'en';
    vi.restoreAllMocks();
  });

  it('says of each how it is and how fast, and changes the order', async () => {
    const order = vi.spyOn(api, 'orderServers').mockResolvedValue();
    const servers = [
      server('gpu', { reads: 1500, writes: 40 }),
      server('cluster', { health: 'unreachable', detail: 'Nothing answers there.', spare: true }),
    ];
    render(Servers, { servers });
    const [first, second] = screen.getAllByTestId('server');
    expect(first?.textContent).toContain('reads 1,500, writes 40 tokens a second');
    expect(second?.textContent).toContain('Nothing answers there.');
    expect(second?.textContent).toContain('Spare');
    await fireEvent.click(within(second!).getByRole('button', { name: 'cluster: up' }));
    expect(order).toHaveBeenCalledWith(['cluster', 'gpu']);
  });

  it('adds one with its key, which is empty again afterwards', async () => {
    const save = vi.spyOn(api, 'saveServer').mockResolvedValue();
    render(Servers, { servers: [server('gpu')] });
    await fireEvent.click(screen.getByTestId('add-server'));
    await fireEvent.input(screen.getByLabelText('Name'), { target: { value: 'cluster' } });
    await fireEvent.change(screen.getByLabelText('Kind'), { target: { value: 'openai' } });
    await fireEvent.input(screen.getByLabelText('Address'), {
      target: { value: 'http://cluster:8000/v1' },
    });
    await fireEvent.input(screen.getByLabelText(/^Key/), { target: { value: 'sesame' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(save).toHaveBeenCalledWith(
      { name: 'cluster', kind: 'openai', address: 'http://cluster:8000/v1', model: '' },
      'sesame',
    );
    await fireEvent.click(await screen.findByTestId('add-server'));
    expect(screen.getByLabelText<HTMLInputElement>(/^Key/).value).toBe('');
  });

  it('changes one, and says that its key is not for another address', async () => {
    const save = vi.spyOn(api, 'saveServer').mockResolvedValue();
    render(Servers, { servers: [server('gpu', { keySet: true, spare: true, model: 'qwen3' })] });
    await fireEvent.click(screen.getByRole('button', { name: 'Change gpu' }));
    expect(screen.queryByLabelText('Name')).toBeNull();
    expect(screen.queryByRole('status')).toBeNull();
    const address = screen.getByLabelText<HTMLInputElement>('Address');
    expect(address.value).toBe('http://gpu:11434');
    await fireEvent.input(address, { target: { value: 'http://attic:11434' } });
    expect(screen.getByRole('status').textContent).toContain('forgotten');
    await fireEvent.input(screen.getByLabelText(/^New key/), { target: { value: 'sesame' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    expect(save).toHaveBeenCalledWith(
      expect.objectContaining({ name: 'gpu', address: 'http://attic:11434', spare: true }),
      'sesame',
    );
    await vi.waitFor(() => expect(screen.queryByTestId('server-form')).toBeNull());
  });

  it('lets no new one take the name of another', async () => {
    const save = vi.spyOn(api, 'saveServer').mockResolvedValue();
    render(Servers, { servers: [server('gpu')] });
    await fireEvent.click(screen.getByTestId('add-server'));
    await fireEvent.input(screen.getByLabelText('Name'), { target: { value: ' GPU ' } });
    expect(screen.getByRole('alert').textContent).toContain('already');
    await fireEvent.submit(screen.getByTestId('server-form'));
    expect(save).not.toHaveBeenCalled();
  });

  it('asks before it takes one off', async () => {
    const remove = vi.spyOn(api, 'removeServer').mockResolvedValue();
    render(Servers, { servers: [server('gpu')] });
    await fireEvent.click(screen.getByRole('button', { name: 'Remove gpu' }));
    expect(remove).not.toHaveBeenCalled();
    await fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(remove).toHaveBeenCalledWith('gpu');
  });
});
