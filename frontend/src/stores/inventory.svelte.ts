import { api } from '$lib/api';
import type { Of } from '$lib/events';
import type { GroupRack, Holder, Rack, Snapshot, Spec } from '$lib/api/types';

/** The toolbox: what is on the wall, who has what since when, who waits in which place. */
export class Inventory {
  readonly kinds = [
    'inventory.changed',
    'tool.acquired',
    'tool.released',
    'tool.queued',
    'job.state',
  ] as const;
  racks = $state.raw<Rack[]>([]);
  groups = $state.raw<GroupRack[]>([]);

  rack(tool: string | undefined): Rack | undefined {
    return tool ? this.racks.find((r) => r.tool === tool) : undefined;
  }

  /** The manuals of all tools. */
  manuals = (): Promise<Spec[]> => api.tools();

  load(snapshot: Snapshot): void {
    this.#hang(snapshot.inventory ?? [], snapshot.groups ?? []);
  }

  #hang(tools: Snapshot['inventory'], groups: Snapshot['groups']): void {
    this.racks = tools.map((r) => ({
      ...r,
      holders: r.holders ?? [],
      waiting: r.waiting ?? [],
      blockedBy: r.blockedBy ?? [],
    }));
    this.groups = groups.map((g) => ({
      ...g,
      tools: g.tools ?? [],
      holders: g.holders ?? [],
    }));
  }

  apply(e: Of<(typeof this.kinds)[number]>): void {
    switch (e.kind) {
      case 'inventory.changed':
        this.#hang(e.data.tools ?? [], e.data.groups ?? []);
        return;
      case 'tool.acquired': {
        const { tool, jobId, leaseId } = e.data;
        const holder: Holder = { jobId, tool, leaseId, since: e.time };
        this.#change(tool, (r) => ({
          ...r,
          holders: [...r.holders.filter((h) => h.leaseId !== leaseId), holder],
          waiting: leave(r.waiting, jobId),
        }));
        return;
      }
      case 'tool.released': {
        const { tool, leaseId } = e.data;
        this.#change(tool, (r) => ({
          ...r,
          holders: r.holders.filter((h) => h.leaseId !== leaseId),
        }));
        return;
      }
      case 'tool.queued': {
        const { tool, jobId, place } = e.data;
        this.#change(tool, (r) => ({
          ...r,
          waiting: [...r.waiting.filter((w) => w.jobId !== jobId), { jobId, place }].sort(
            (a, b) => a.place - b.place,
          ),
        }));
        return;
      }
      case 'job.state': {
        const { id, to } = e.data;
        if (to !== 'succeeded' && to !== 'failed' && to !== 'canceled') return;
        if (this.racks.some((r) => r.waiting.some((w) => w.jobId === id))) {
          this.racks = this.racks.map((r) => ({ ...r, waiting: leave(r.waiting, id) }));
        }
        return;
      }
    }
  }

  #change(tool: string, change: (rack: Rack) => Rack): void {
    const racks = this.racks.map((r) => (r.tool === tool ? change(r) : r));
    // A group is held by whoever holds one of its tools; its other tools are blocked by them.
    this.groups = this.groups.map((g) => ({
      ...g,
      holders: racks.filter((r) => g.tools.includes(r.tool)).flatMap((r) => r.holders),
    }));
    this.racks = racks.map((r) => {
      const group = r.group ? this.groups.find((g) => g.group === r.group) : undefined;
      if (!group) return r;
      const full = group.capacity > 0 && group.holders.length >= group.capacity;
      return { ...r, blockedBy: full ? group.holders.filter((h) => h.tool !== r.tool) : [] };
    });
  }
}

/** The line without one job; those behind it move up. */
function leave(line: Rack['waiting'], jobId: string): Rack['waiting'] {
  const gone = line.find((w) => w.jobId === jobId);
  if (!gone) return line;
  return line
    .filter((w) => w !== gone)
    .map((w) => (w.place > gone.place ? { ...w, place: w.place - 1 } : w));
}
