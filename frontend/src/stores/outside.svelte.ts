import { api } from '$lib/api';
import type { McpElsewhere, McpFilled, McpProposal, McpView } from '$lib/api/types';

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
  /** Reads what was pasted; nothing is started. */
  propose = (text: string): Promise<McpProposal[]> => api.proposeMCP(text);
  /** What the program knows by itself. */
  catalogue = (): Promise<McpProposal[]> => api.catalogueMCP();
  /** What other clients on this computer name. */
  elsewhere = (): Promise<McpElsewhere[]> => api.elsewhereMCP();
  /** Exactly what a proposal would start. */
  lineOf = (filled: McpFilled): Promise<string> => api.lineMCP(filled);
  /** Adds a server as it was shown, and starts it. */
  add = (filled: McpFilled): Promise<void> => this.after(api.addMCP(filled));
  /** Takes a server away, with its keys and what was agreed to. */
  remove = (server: string): Promise<void> => this.after(api.removeMCP(server));
  /** Replaces mcp.json; a value that stays covered keeps what it was. */
  setFile = (text: string): Promise<void> => this.after(api.setMCP(text));
}
