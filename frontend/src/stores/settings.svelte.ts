import { SvelteMap } from 'svelte/reactivity';

import { api } from '$lib/api';
import type { Setting } from '$lib/api/types';
import type { Envelope } from '$lib/events';
import { language, type Lang } from '$lib/i18n/index.svelte';

export type Theme = 'light' | 'dark' | 'system';

const themes: readonly string[] = ['light', 'dark', 'system'];
const KEEP = 'agentchat.';

/**
 * Settings as the shop has them. Language and look are also kept in the window, so that it opens in the right ones
 * before the shop has answered.
 */
export class Settings {
  readonly byKey = new SvelteMap<string, Setting>();
  loaded = $state(false);
  theme = $state<Theme>(read('theme', themes, 'system') as Theme);

  constructor() {
    language.current = read('lang', ['ko', 'en'], guess()) as Lang;
  }

  get all(): Setting[] {
    return [...this.byKey.values()];
  }

  value<T>(key: string): T | undefined {
    return this.byKey.get(key)?.value as T | undefined;
  }

  async load(): Promise<void> {
    for (const setting of await api.settings()) {
      this.byKey.set(setting.key, setting);
      this.#show(setting.key, setting.value);
    }
    this.loaded = true;
  }

  /** Changes settings at once on the screen and then in the shop; if the shop refuses, they go back. */
  async set(values: Record<string, unknown>): Promise<void> {
    const before = Object.keys(values).map((key) => [key, this.byKey.get(key)?.value] as const);
    this.#take(values);
    try {
      await api.setSettings(values);
    } catch (error) {
      this.#take(Object.fromEntries(before.filter(([, value]) => value !== undefined)));
      throw error;
    }
  }

  apply(e: Envelope): void {
    if (e.kind === 'config.changed') this.#take(e.data.changed ?? {});
  }

  #take(values: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(values)) {
      const setting = this.byKey.get(key);
      if (setting) this.byKey.set(key, { ...setting, value: value as Setting['value'] });
      this.#show(key, value);
    }
  }

  #show(key: string, value: unknown): void {
    if (key === 'lang' && (value === 'ko' || value === 'en')) {
      language.current = value;
      localStorage.setItem(KEEP + 'lang', value);
    }
    if (key === 'theme' && themes.includes(String(value))) {
      this.theme = value as Theme;
      localStorage.setItem(KEEP + 'theme', this.theme);
    }
  }
}

function read(key: string, allowed: readonly string[], otherwise: string): string {
  const kept = localStorage.getItem(KEEP + key);
  return kept && allowed.includes(kept) ? kept : otherwise;
}

const guess = (): Lang => (navigator.language.startsWith('ko') ? 'ko' : 'en');
