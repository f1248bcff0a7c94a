import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { Setting } from '$lib/api/types';

import { Settings } from './settings.svelte';

const light = { key: 'theme', value: 'light' } as Setting;

describe('settings', () => {
  let answer: (read: Setting[]) => void;
  beforeEach(() => {
    vi.restoreAllMocks();
    vi.spyOn(api, 'settings').mockReturnValue(new Promise((done) => (answer = done)));
  });

  it('keep what was chosen while they were being read', async () => {
    vi.spyOn(api, 'setSettings').mockResolvedValue(undefined);
    const settings = new Settings();
    const read = settings.load();
    await settings.set({ theme: 'dark' });
    answer([light]);
    await read;
    expect(settings.theme).toBe('dark');
    expect(settings.text('theme')).toBe('dark');
  });

  it('show what the shop has when it refused what was chosen meanwhile', async () => {
    vi.spyOn(api, 'setSettings').mockRejectedValue(new Error('no'));
    const settings = new Settings();
    const read = settings.load();
    await expect(settings.set({ theme: 'dark' })).rejects.toThrow('no');
    answer([light]);
    await read;
    expect(settings.theme).toBe('light');
    expect(settings.text('theme')).toBe('light');
  });

  it('are told to the shop one after another, also after one that it refused', async () => {
    const told: [Record<string, unknown>, (refused: boolean) => void][] = [];
    vi.spyOn(api, 'setSettings').mockImplementation(
      (values) =>
        new Promise((done, failed) => {
          told.push([values, (refused) => (refused ? failed(new Error('no')) : done(undefined))]);
        }),
    );
    const settings = new Settings();
    const first = settings.set({ text_size: 110 });
    const second = settings.set({ text_size: 120 });
    await vi.waitFor(() => expect(told).toHaveLength(1));
    told[0]?.[1](true);
    await expect(first).rejects.toThrow('no');
    await vi.waitFor(() => expect(told).toHaveLength(2));
    told[1]?.[1](false);
    await second;
    expect(told.map(([values]) => values)).toEqual([{ text_size: 110 }, { text_size: 120 }]);
  });
});
