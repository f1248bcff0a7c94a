import { SvelteSet } from 'svelte/reactivity';

import { shop } from '$stores/shop.svelte';
import { attempt, toasts } from '$stores/toasts.svelte';

import { text } from './messages';

/** What a person set off on this page and what takes its time. It outlives the page. */
class Acts {
  readonly #busy = new SvelteSet<string>();

  busy(key: string): boolean {
    return this.#busy.has(key);
  }

  /** Runs one act, once at a time; what fails is said in the corner. True when it worked. */
  async run(key: string, act: () => Promise<unknown>): Promise<boolean> {
    if (this.#busy.has(key)) return false;
    this.#busy.add(key);
    try {
      return (await attempt(async () => (await act(), true))) ?? false;
    } finally {
      this.#busy.delete(key);
      await shop.models.load();
    }
  }

  /** Looks how Ollama is, and says what came of it. */
  check(): Promise<boolean> {
    return this.run('check', async () => {
      const { health } = await shop.models.check();
      if (health === 'ok') toasts.show({ kind: 'done', text: text.checkedOk });
      else if (health !== 'starting') toasts.show({ kind: 'info', text: text.checkedNot });
    });
  }

  start = () => this.run('start', shop.models.start);
  pull = (name: string) => this.run(`pull:${name}`, () => shop.models.download(name));
  /** Makes a model of a file. */
  bring = (path: string) =>
    this.run('bring', async () => {
      const name = await shop.models.bring(path);
      toasts.show({ kind: 'info', text: text.importing(name) });
    });
  pause = (name: string) => this.run(`pull:${name}`, () => shop.models.pause(name));
  resume = (name: string) => this.run(`pull:${name}`, () => shop.models.resume(name));
  cancel = (name: string) => this.run(`pull:${name}`, () => shop.models.cancel(name));
  remove = (name: string) => this.run(`delete:${name}`, () => shop.models.remove(name));
  load = (name: string) => this.run(`load:${name}`, () => shop.models.warm(name));
  unload = (name: string) => this.run(`load:${name}`, () => shop.models.unload(name));

  /** Makes a model the one for all chats and roles that have none of their own. */
  use = (name: string, server = 'ollama') =>
    this.run(`use:${name}`, () => shop.models.useModel(server, name));

  address = (host: string) =>
    this.run('address', async () => {
      await shop.settings.set({ ollama_host: host });
      await shop.models.check();
    });

  key = (key: string) =>
    this.run('key', async () => {
      await shop.models.keep(key);
      toasts.show({ kind: 'done', text: key ? text.keyKept : text.keyForgotten });
    });
}

export const acts = new Acts();
