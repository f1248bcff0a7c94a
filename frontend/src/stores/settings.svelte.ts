import { SvelteMap } from 'svelte/reactivity';

import { api } from '$lib/api';
import type { Setting } from '$lib/api/types';
import type { Of } from '$lib/events';
import { language, type Lang } from '$lib/i18n/index.svelte';
import { scale } from '$lib/scale.svelte';

export type Theme = 'light' | 'dark' | 'contrast' | 'system';

const themes: readonly Theme[] = ['light', 'dark', 'contrast', 'system'];
const langs: readonly Lang[] = ['ko', 'en'];

/**
 * Settings as the shop has them. Language and look are written into the page before it is drawn, so that the window opens
 * in the right ones before the shop has answered.
 */
export class Settings {
  readonly kinds = ['config.changed'] as const;
  readonly byKey = new SvelteMap<string, Setting>();
  loaded = $state(false);
  /** What changed while the settings were being read, which is newer than what is then read. */
  #meanwhile: Record<string, unknown> = {};
  /** What was changed before is with the shop: calls made side by side may arrive in any order, and the last change is to stay. */
  #saved: Promise<unknown> = Promise.resolve();
  theme = $state<Theme>(written(document.documentElement.dataset['theme'], themes, 'system'));

  constructor() {
    language.current = written(document.documentElement.lang, langs, guess());
    scale.percent = Number.parseInt(document.documentElement.style.fontSize, 10) || 100;
  }

  get all(): Setting[] {
    return [...this.byKey.values()];
  }

  /** What a setting that is text says; empty where there is none. */
  text(key: string): string {
    const value = this.byKey.get(key)?.value;
    return typeof value === 'string' ? value : '';
  }

  async load(): Promise<void> {
    this.#meanwhile = {};
    const read = await api.settings();
    const newer = this.#meanwhile;
    for (const setting of read) {
      const value = setting.key in newer ? (newer[setting.key] as Setting['value']) : setting.value;
      this.byKey.set(setting.key, { ...setting, value });
      this.#show(setting.key, value);
    }
    this.loaded = true;
  }

  /** Changes settings at once on the screen and then in the shop; if the shop refuses, they go back. */
  async set(values: Record<string, unknown>): Promise<void> {
    const before = Object.keys(values).map((key) => [key, this.byKey.get(key)?.value] as const);
    this.#take(values);
    const saving = this.#saved.then(() => api.setSettings(values));
    this.#saved = saving.catch(() => undefined);
    try {
      await saving;
    } catch (error) {
      for (const key of Object.keys(values)) Reflect.deleteProperty(this.#meanwhile, key);
      this.#take(Object.fromEntries(before.filter(([, value]) => value !== undefined)));
      throw error;
    }
  }

  /** Asks for a folder, with a title above the dialog; '' when the person changed their mind. */
  chooseFolder = (title: string): Promise<string> => api.chooseFolder(title);

  apply(e: Of<(typeof this.kinds)[number]>): void {
    if (e.kind === 'config.changed') this.#take(e.data.changed ?? {});
  }

  #take(values: Record<string, unknown>): void {
    Object.assign(this.#meanwhile, values);
    for (const [key, value] of Object.entries(values)) {
      const setting = this.byKey.get(key);
      if (setting) this.byKey.set(key, { ...setting, value: value as Setting['value'] });
      this.#show(key, value);
    }
  }

  #show(key: string, value: unknown): void {
    if (key === 'lang') language.current = written(value, langs, language.current);
    if (key === 'text_size') scale.percent = Number(value) || 100;
    if (key === 'theme') this.theme = written(value, themes, this.theme);
  }
}

const written = <T>(value: unknown, allowed: readonly T[], otherwise: T): T =>
  allowed.find((one) => one === value) ?? otherwise;

const guess = (): Lang => (navigator.language.startsWith('ko') ? 'ko' : 'en');
