import { fireEvent, render, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { ListedServer } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';

import Servers from './Servers.svelte';

const server = (name: string, more: Partial<ListedServer> = {}): ListedServer => ({
  name,
  kind: 'ollama',
  address: `http://${name}:11434`,
  settled: false,
  health: 'ok',
  reason: '',
  detail: '',
  breaker: '',
  serves: 'qwen3',
  models: ['qwen3'],
  reads: 0,
  writes: 0,
  requests: 0,
  keySet: false,
  keyPlace: '',
  ...more,
});

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
