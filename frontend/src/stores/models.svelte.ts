import { SvelteMap } from 'svelte/reactivity';

import { api, toApiError, type ApiError } from '$lib/api';
import type { ModelPull, ModelsView } from '$lib/api/types';
import type { Of } from '$lib/events';

/** Settings after which other models may be there, or serve. */
const matters =
  /^(provider|model|ollama_host|openai_base|model_servers|num_ctx|embed_model|roles\..+)$/;

/** Whether two names are of one model: Ollama takes a name without a tag for its latest. */
export const sameModel = (a: string, b: string): boolean => tagged(a) === tagged(b);

const tagged = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

/** Which models there are, which serve, and which are on their way. Nothing is asked for before somebody looks. */
export class Models {
  readonly kinds = ['model.pull', 'models.changed', 'provider.state', 'config.changed'] as const;
  view = $state.raw<ModelsView>();
  /** Why the models could not be read, while that is so. */
  error = $state.raw<ApiError>();
  /** The downloads that are not finished, in the order they were asked for. */
  readonly pulls = new SvelteMap<string, ModelPull>();

  #wanted = false;
  #loading: Promise<void> | undefined;
  #again = false;

  /** Loads once, for the first who looks; from then on it follows what happens. */
  want(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    void this.load();
  }

  /** Asks anew. Calls that come while one is under way make one more after it, and all wait for that. */
  load(): Promise<void> {
    this.#wanted = true;
    if (this.#loading) this.#again = true;
    this.#loading ??= this.#run().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      try {
        this.#take(await api.models());
      } catch (thrown) {
        this.error = toApiError(thrown);
      }
    } while (this.#again);
  }

  #take(view: ModelsView): void {
    this.error = undefined;
    this.view = {
      ...view,
      installed: (view.installed ?? []).map((m) => ({ ...m, roles: m.roles ?? [] })),
      servers: view.servers ?? [],
      recommended: view.recommended ?? [],
      roles: view.roles ?? [],
    };
    const pulls = (view.pulls ?? []).filter((p) => p.state !== 'done');
    const names = new Set(pulls.map((p) => p.model));
    for (const name of this.pulls.keys()) if (!names.has(name)) this.pulls.delete(name);
    for (const pull of pulls) this.pulls.set(pull.model, pull);
  }

  pull(name: string): ModelPull | undefined {
    return this.pulls.get(name) ?? [...this.pulls.values()].find((p) => sameModel(p.model, name));
  }

  /** Looks how the provider is. */
  check = () => api.checkProvider();
  start = () => api.startOllama();
  download = (name: string) => api.pullModel(name);
  chooseFile = (title: string) => api.chooseModelFile(title);
  bring = (path: string) => api.importModel(path);
  pause = (name: string) => api.pausePull(name);
  resume = (name: string) => api.resumePull(name);
  cancel = (name: string) => api.cancelPull(name);
  remove = (name: string) => api.deleteModel(name);
  warm = (name: string) => api.loadModel(name);
  unload = (name: string) => api.unloadModel(name);
  saveServer: typeof api.saveServer = (server, key) => api.saveServer(server, key);
  removeServer = (name: string) => api.removeServer(name);
  useModel = (server: string, model: string) => api.useModel(server, model);
  orderServers = (names: string[]) => api.orderServers(names);
  testServer = (name: string) => api.testServer(name);
  keep = (key: string) => api.setOpenAIKey(key);

  apply(e: Of<(typeof this.kinds)[number]>): void {
    switch (e.kind) {
      case 'model.pull':
        if (e.data.canceled || e.data.state === 'done') this.pulls.delete(e.data.model);
        else this.pulls.set(e.data.model, e.data);
        return;
      case 'models.changed':
      case 'provider.state':
        return this.#stale();
      case 'config.changed':
        if (Object.keys(e.data.changed ?? {}).some((key) => matters.test(key))) this.#stale();
        return;
    }
  }

  #stale(): void {
    if (this.#wanted) void this.load();
  }
}
