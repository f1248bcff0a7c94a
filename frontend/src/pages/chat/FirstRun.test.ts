import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api, type ModelsView } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { View, view } from '$stores/view.svelte';
import { modelsView, snapshot, trouble } from '../../test/shapes';

import FirstRun from './FirstRun.svelte';

describe('the first run', () => {
  async function open(models: ModelsView) {
    vi.spyOn(api, 'models').mockResolvedValue(models);
    await shop.models.load();
    render(FirstRun);
  }

  beforeEach(() => {
    language.current = 'ko';
    localStorage.clear();
    view.welcomed = false;
    shop.ready = true;
    shop.provider.load(snapshot());
  });

  it('works at once, and offers the one thing this computer lacks', async () => {
    await open(
      modelsView({
        trouble: trouble({ health: 'unreachable', reason: 'not_running', action: 'start' }),
      }),
    );
    expect(screen.getByText('지금 바로 쓸 수 있어요')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Ollama 켜기' })).toBeTruthy();
  });

  it('offers the model that is ready to somebody who has the built-in one', async () => {
    const set = vi.spyOn(shop.settings, 'set').mockResolvedValue();
    await open(modelsView({ trouble: trouble({ model: 'qwen3:4b' }) }));
    expect(screen.getByText(/qwen3:4b 모델이 준비/)).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: '모델로 바꾸기' }));
    expect(set).toHaveBeenCalledWith({ provider: 'auto' });
  });

  it('is put away for good', async () => {
    await open(modelsView());
    await fireEvent.click(screen.getByRole('button', { name: '이 안내 닫기' }));
    expect(screen.queryByTestId('first-run')).toBeNull();
    expect(screen.getByText(/내장 통역가가 일해요/)).toBeTruthy();
    expect(new View().welcomed).toBe(true);
  });

  it('says nothing once a model is on duty', async () => {
    shop.provider.load(
      snapshot({ provider: { provider: 'ollama', model: 'qwen3:4b', health: 'ok' } }),
    );
    await open(modelsView());
    expect(screen.queryByTestId('first-run')).toBeNull();
  });
});
