import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';
import { modelsView, snapshot, trouble } from '../test/shapes';

import ProviderNotice from './ProviderNotice.svelte';

const well = { provider: 'ollama', model: 'qwen3:4b', health: 'ok' } as const;
const down = {
  ...well,
  health: 'unreachable',
  reason: 'not_running',
  detail: '꺼져 있어요.',
} as const;

describe('the notice of who interprets', () => {
  beforeEach(() => {
    language.current = 'ko';
    view.page = 'chat';
    vi.spyOn(api, 'models').mockResolvedValue(
      modelsView({
        trouble: trouble({ health: 'unreachable', reason: 'not_running', action: 'start' }),
      }),
    );
    shop.provider.load(snapshot({ provider: well }));
    shop.provider.dismiss();
  });
  afterEach(() => void vi.useRealTimers());

  it('names who went and offers what helps, until it is put away', async () => {
    const start = vi.spyOn(api, 'startOllama').mockResolvedValue();
    shop.provider.load(snapshot({ provider: down }));
    await shop.models.load();
    render(ProviderNotice);
    expect(screen.getByRole('status').textContent).toContain('Ollama가 꺼져 있어요.');
    await fireEvent.click(await screen.findByRole('button', { name: 'Ollama 켜기' }));
    expect(start).toHaveBeenCalledOnce();
    await fireEvent.click(screen.getByRole('button', { name: '이 알림 닫기' }));
    expect(screen.queryByTestId('provider-notice')).toBeNull();
  });

  it('calls a server somebody added by the name it was given', () => {
    language.current = 'en';
    shop.provider.load(snapshot({ provider: { ...well, provider: 'cluster' } }));
    shop.provider.load(
      snapshot({ provider: { ...down, provider: 'cluster', detail: 'Nothing answers there.' } }),
    );
    render(ProviderNotice);
    expect(screen.getByRole('status').textContent).toContain('cluster');
  });

  it('says who is back, and goes by itself', async () => {
    shop.provider.load(snapshot({ provider: down }));
    render(ProviderNotice);
    vi.useFakeTimers();
    shop.provider.load(snapshot({ provider: well }));
    flushSync();
    expect(screen.getByTestId('provider-notice').dataset['kind']).toBe('back');
    expect(screen.getByRole('status').textContent).toContain('qwen3:4b 통역가가 돌아왔어요.');
    vi.runAllTimers();
    vi.useRealTimers();
    await waitFor(() => expect(screen.queryByTestId('provider-notice')).toBeNull());
  });
});
