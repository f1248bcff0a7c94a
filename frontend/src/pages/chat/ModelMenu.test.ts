import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { Chat } from '$stores/chat.svelte';
import { shop } from '$stores/shop.svelte';
import { listedServer, modelsView, snapshot } from '../../test/shapes';

import ModelMenu from './ModelMenu.svelte';

describe('who is to answer, chosen in a chat', () => {
  let chat: Chat;
  let provider: string;
  const calls: unknown[] = [];

  beforeEach(async () => {
    calls.length = 0;
    vi.spyOn(api, 'models').mockResolvedValue(
      modelsView({ servers: [listedServer('ollama', { models: ['x', 'y'] })] }),
    );
    vi.spyOn(api, 'useModel').mockImplementation((...use) => {
      calls.push(use);
      return Promise.resolve();
    });
    vi.spyOn(api, 'setChat').mockImplementation((id, own) => {
      calls.push([id, own.model]);
      return Promise.resolve();
    });
    vi.spyOn(shop.settings, 'text').mockImplementation(() => provider);
    shop.provider.load(snapshot());
    shop.projects.load(
      snapshot({
        projects: [
          { id: 'p', title: 'p', instructions: '', model: 'ollama/y', folders: [], shelves: [] },
        ],
      }),
    );
    await shop.models.load();
    chat = new Chat('main');
  });

  async function choose(value: string) {
    render(ModelMenu, { chat });
    await fireEvent.keyDown(screen.getByTestId('on-duty-here'), { key: 'Enter' });
    const item = await waitFor(() => document.querySelector(`[data-model="${value}"]`)!);
    await fireEvent.keyDown(item, { key: 'Enter' });
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(0));
    await new Promise((resolve) => setImmediate(resolve));
  }

  it.each([
    ['has one of its own', 'builtin', 'ollama/y', '', true],
    ['is of a project that has one', 'builtin', '', 'p', true],
    ['has none', 'builtin', '', '', false],
  ])('answers here, too, where the chat %s', async (_, chosen, model, project, too) => {
    provider = chosen;
    Object.assign(chat, { model, project });
    await choose('ollama/x');
    expect(calls).toEqual([['ollama', 'x'], ...(too ? [['main', 'ollama/x']] : [])]);
  });

  it('answers here alone where the chat has a model that is asked', async () => {
    provider = 'auto';
    chat.model = 'ollama/y';
    await choose('ollama/x');
    expect(calls).toEqual([['main', 'ollama/x']]);
  });
});
