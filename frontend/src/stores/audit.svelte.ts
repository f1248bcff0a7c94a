import { api, toApiError, type ApiError } from '$lib/api';
import type { AuditEntry, AuditFilter, policy } from '$lib/api/types';

/** How many entries are fetched at once. */
const PAGE = 50;

/** The audit log, newest first, as far back as somebody has scrolled. */
export class Audit {
  entries = $state.raw<AuditEntry[]>([]);
  filter = $state.raw<AuditFilter>({});
  /** The first look is through. */
  ready = $state(false);
  /** The oldest entry there is has been fetched. */
  complete = $state(false);
  /** Why it could not be read, while that is so. */
  error = $state.raw<ApiError>();

  #asked = 0;
  #fetching = false;

  /** Looks anew, with another filter if one is given. */
  async load(filter: AuditFilter = this.filter): Promise<void> {
    this.filter = filter;
    await this.#fetch(0);
  }

  /** Asks where to and writes the whole log there; '' when the person changed their mind. */
  export = (format: policy.Format, title: string): Promise<string> =>
    api.exportAudit('', format, title);

  /** Fetches the entries before the oldest one that is here. */
  async more(): Promise<void> {
    const last = this.entries.at(-1);
    if (last && !this.complete && !this.#fetching) await this.#fetch(last.n);
  }

  async #fetch(before: number): Promise<void> {
    const asked = ++this.#asked;
    this.#fetching = true;
    try {
      const found = await api.audit(this.filter, before, PAGE);
      if (asked !== this.#asked) return; // another filter was chosen meanwhile
      this.entries = before ? [...this.entries, ...found] : found;
      this.complete = found.length < PAGE;
      this.error = undefined;
      this.ready = true;
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    } finally {
      if (asked === this.#asked) this.#fetching = false;
    }
  }
}
