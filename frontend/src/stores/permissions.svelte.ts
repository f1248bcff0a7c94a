import { api, toApiError, type ApiError } from '$lib/api';
import type { Permissions as View, Spec } from '$lib/api/types';
import type { Envelope } from '$lib/events';

/** What may happen without a question, and what never may. Nothing is asked for before somebody looks. */
export class Permissions {
  view = $state.raw<View>();
  /** The manuals of all tools: they say what is asked about whatever the rules are. */
  tools = $state.raw<Spec[]>([]);
  /** Why it could not be read, while that is so. */
  error = $state.raw<ApiError>();

  #wanted = false;
  #asked = 0;

  async load(): Promise<void> {
    this.#wanted = true;
    const asked = ++this.#asked;
    try {
      const [view, tools] = await Promise.all([api.permissions(), api.tools()]);
      if (asked !== this.#asked) return; // a newer look is under way
      this.error = undefined;
      this.tools = tools;
      this.view = {
        grants: view.grants ?? [],
        rules: (view.rules ?? []).map((r) => ({ ...r, when: r.when ?? [] })),
        denied: view.denied ?? [],
      };
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
  }

  apply(e: Envelope): void {
    const moved =
      e.kind === 'permissions.changed' || e.kind === 'mcp.changed' || e.kind === 'config.changed';
    if (moved && this.#wanted) void this.load();
  }
}
