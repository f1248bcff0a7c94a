import { api } from '$lib/api';
import type { AuditEntry, AuditFilter, policy } from '$lib/api/types';

import { Pages } from './pages.svelte';

/** The audit log. */
export class Audit extends Pages<AuditEntry, AuditFilter> {
  protected readonly size = 50;

  protected page = (filter: AuditFilter, behind?: AuditEntry): Promise<AuditEntry[]> =>
    api.audit(filter, behind?.n ?? 0, this.size);

  /** Asks where to and writes the whole log there; '' when the person changed their mind. */
  export = (format: policy.Format, title: string): Promise<string> =>
    api.exportAudit('', format, title);
}
