import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { AuditEntry } from '$lib/api/types';

import { Audit } from './audit.svelte';

const PAGE = 50;
const entries = (from: number, many: number): AuditEntry[] =>
  Array.from({ length: many }, (_, i) => ({ n: from - i }) as AuditEntry);

describe('the audit log', () => {
  beforeEach(() => vi.restoreAllMocks());

  it('fetches what is older, until there is nothing before', async () => {
    const read = vi.spyOn(api, 'audit');
    read.mockResolvedValueOnce(entries(60, PAGE)).mockResolvedValueOnce(entries(10, 10));
    const audit = new Audit();
    await audit.load();
    expect(audit.complete).toBe(false);
    await audit.more();
    expect(read).toHaveBeenLastCalledWith({}, 11, PAGE);
    expect(audit.rows.map((e) => e.n)).toEqual(entries(60, 60).map((e) => e.n));
    expect(audit.complete).toBe(true);
    await audit.more();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('shows the filter that was chosen last, whichever answer comes first', async () => {
    let slow: (list: AuditEntry[]) => void = () => undefined;
    vi.spyOn(api, 'audit').mockImplementation((filter) =>
      filter.tool === 'slow'
        ? new Promise((done) => (slow = done))
        : Promise.resolve(entries(2, 1)),
    );
    const audit = new Audit();
    const first = audit.load({ tool: 'slow' });
    await audit.load({ tool: 'quick' });
    slow(entries(9, 9));
    await first;
    expect(audit.rows.map((e) => e.n)).toEqual([2]);
  });

  it('keeps what it has when a look fails, and says why', async () => {
    const read = vi.spyOn(api, 'audit').mockResolvedValueOnce(entries(60, PAGE));
    const audit = new Audit();
    await audit.load();
    read.mockRejectedValueOnce(new Error('full'));
    await audit.more();
    expect(audit.error?.message).toBe('full');
    expect(audit.rows).toHaveLength(PAGE);
    read.mockResolvedValueOnce(entries(10, 1));
    await audit.more();
    expect(audit.error).toBeUndefined();
    expect(audit.rows).toHaveLength(PAGE + 1);
  });
});
