import { api } from '$lib/api';
import type { PermissionMode, Permissions as View, PolicyRule, Spec } from '$lib/api/types';

import { Source } from './source.svelte';

/** What may happen without a question, and what never may. */
export class Permissions extends Source<View> {
  readonly kinds = ['permissions.changed', 'mcp.changed', 'config.changed'] as const;
  /** The manuals of all tools: they say what is asked about whatever the rules are. */
  tools = $state.raw<Spec[]>([]);

  protected async read(): Promise<View> {
    const [view, tools] = await Promise.all([api.permissions(), api.tools()]);
    this.tools = tools;
    return {
      grants: view.grants ?? [],
      rules: (view.rules ?? []).map((r) => ({ ...r, when: r.when ?? [] })),
      mode: view.mode,
      denied: view.denied ?? [],
    };
  }

  revoke = (id: string): Promise<void> => this.after(api.revokePermission(id));
  /** Says how much a person wants to be asked, over the rules. */
  setMode = (mode: PermissionMode): Promise<void> =>
    this.after(api.setSettings({ 'policy.mode': mode }));
  /** Replaces all rules at once; one that is wrong is named, and nothing changes. */
  setRules = (rules: PolicyRule[]): Promise<void> => api.setPolicyRules(rules);
}
