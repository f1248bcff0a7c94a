import { api } from '$lib/api';
import type { McpElsewhere, McpFilled, McpForm, McpProposal, McpView } from '$lib/api/types';

import { Source } from './source.svelte';

/** The servers of others and their tools. */
export class Outside extends Source<McpView> {
  readonly kinds = ['mcp.changed'] as const;
  /** Forms of bundles that were chosen or dropped, until they are added. */
  bundles = $state.raw<McpProposal[]>([]);

  protected async read(): Promise<McpView> {
    const view = await api.mcp();
    return {
      ...view,
      problems: view.problems ?? [],
      servers: (view.servers ?? []).map((s) => ({ ...s, tools: s.tools ?? [] })),
    };
  }

  /** Reads the settings anew and looks after every server. */
  again = (): Promise<void> => this.after(api.reloadMCP());
  /** Agrees to the tools of a server, exactly as they were shown with this digest. */
  consent = (server: string, digest: string): Promise<void> =>
    this.after(api.consentMCP(server, digest));
  revoke = (server: string): Promise<void> => this.after(api.revokeMCP(server));
  /** Reads what was pasted; nothing is started. */
  propose = (text: string): Promise<McpProposal[]> => api.proposeMCP(text);
  /** Whether a file is a bundle of an outside tool. */
  static isBundle = (path: string): boolean => /\.(mcpb|dxt)$/i.test(path);
  /** Reads what bundles want to be told; nothing is unpacked or started. */
  async bring(paths: string[]): Promise<void> {
    this.bundles = await Promise.all(paths.map((path) => api.proposeBundleMCP(path)));
  }
  /** Asks for a bundle with the system's dialog. */
  async choose(title: string): Promise<void> {
    const path = await api.chooseBundle(title);
    if (path) await this.bring([path]);
  }
  /** What the program knows by itself. */
  catalogue = (): Promise<McpProposal[]> => api.catalogueMCP();
  /** What other clients on this computer name. */
  elsewhere = (): Promise<McpElsewhere[]> => api.elsewhereMCP();
  /** Exactly what a proposal would start. */
  lineOf = (filled: McpFilled): Promise<string> => api.lineMCP(filled);
  /** Adds a server as it was shown, and starts it. */
  add = (filled: McpFilled): Promise<void> => this.after(api.addMCP(filled));
  /** A server that is set up, to be changed: everything but its keys. */
  formOf = async (server: string): Promise<McpForm> => {
    const form = await api.formMCP(server);
    return { ...form, args: form.args ?? [], values: form.values ?? [] };
  };
  /** Exactly what would be started with a form. */
  lineOfForm = (form: McpForm): Promise<string> => api.formLineMCP(form);
  /** Makes a server what a form says, as it was shown. */
  change = (form: McpForm): Promise<void> => this.after(api.changeMCP(form));
  /** Starts a server or lets it rest; its settings stay. */
  turn = (server: string, on: boolean): Promise<void> => this.after(api.switchMCP(server, on));
  /** Takes a server away, with its keys and what was agreed to. */
  remove = (server: string): Promise<void> => this.after(api.removeMCP(server));
  /** Leads through the sign-in of a server, in the browser; done when the person is through. */
  signIn = (server: string): Promise<void> => this.after(api.signInMCP(server));
  cancelSignIn = (server: string): Promise<void> => this.after(api.cancelSignInMCP(server));
  signOut = (server: string): Promise<void> => this.after(api.signOutMCP(server));
  /** Replaces the settings as text; a value that stays covered keeps what it was. */
  setFile = (text: string): Promise<void> => this.after(api.setMCP(text));
}
