import { api, toApiError, type ApiError } from '$lib/api';
import type { McpView } from '$lib/api/types';
import type { Envelope } from '$lib/events';

/** The servers of others and their tools. Nothing is asked for before somebody looks. */
export class Outside {
  view = $state.raw<McpView>();
  /** Why they could not be read, while that is so. */
  error = $state.raw<ApiError>();

  #wanted = false;
  #asked = 0;

  async load(): Promise<void> {
    this.#wanted = true;
    const asked = ++this.#asked;
    try {
      const view = await api.mcp();
      if (asked !== this.#asked) return; // a newer look is under way; an older one must not cover it
      this.error = undefined;
      this.view = {
        ...view,
        problems: view.problems ?? [],
        servers: (view.servers ?? []).map((s) => ({ ...s, tools: s.tools ?? [] })),
      };
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
  }

  apply(e: Envelope): void {
    if (e.kind === 'mcp.changed' && this.#wanted) void this.load();
  }
}
