import { api } from '$lib/api';
import type { McpView } from '$lib/api/types';

import { Source } from './source.svelte';

/** The servers of others and their tools. */
export class Outside extends Source<McpView> {
  readonly kinds = ['mcp.changed'] as const;

  protected async read(): Promise<McpView> {
    const view = await api.mcp();
    return {
      ...view,
      problems: view.problems ?? [],
      servers: (view.servers ?? []).map((s) => ({ ...s, tools: s.tools ?? [] })),
    };
  }

  /** Reads mcp.json anew and looks after every server. */
  again = (): Promise<void> => this.after(api.reloadMCP());
  /** Agrees to the tools of a server, exactly as they were shown with this digest. */
  consent = (server: string, digest: string): Promise<void> =>
    this.after(api.consentMCP(server, digest));
  revoke = (server: string): Promise<void> => this.after(api.revokeMCP(server));
  /** Replaces mcp.json; a value that stays covered keeps what it was. */
  setFile = (text: string): Promise<void> => this.after(api.setMCP(text));
}
