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

  it('keep the newest choice while the shop still tells of the one before', async () => {
    const done: (() => void)[] = [];
    vi.spyOn(api, 'setSettings').mockImplementation(() => new Promise((d) => done.push(d)));
    const settings = new Settings();
    const read = settings.load();
    answer([light]);
    await read;
    const told = (theme: string) =>
      settings.apply({ kind: 'config.changed', data: { changed: { theme } } } as never);
    const both = [settings.set({ theme: 'dark' }), settings.set({ theme: 'contrast' })];
    told('dark');
    expect(settings.theme).toBe('contrast');
    done.forEach((d) => d());
    await Promise.all(both);
    told('contrast');
    expect(settings.theme).toBe('contrast');
    told('light'); // somebody chose it elsewhere
    expect(settings.theme).toBe('light');
  });
});
