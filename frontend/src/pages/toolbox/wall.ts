import type { GroupRack, Holder, Rack } from '$lib/api/types';

/** How a rack stands: all its tools hang there, some are out, or none can be taken though none is out. */
export type RackState = 'free' | 'out' | 'locked';

export function rackState(rack: Rack): RackState {
  if (rack.holders.length > 0) return rack.capacity === 0 ? 'free' : 'out';
  return rack.blockedBy?.length ? 'locked' : 'free';
}

/** One hook on the wall: the tool hangs on it, or a job has it. */
export interface Slot {
  holder?: Holder;
}

/** A rack does not draw more hooks than this. */
export const MOST_SLOTS = 6;

/** The hooks of a rack, taken ones first. A tool without a limit always hangs there. `more` are left out. */
export function slots(rack: Rack): { slots: Slot[]; more: number } {
  if (rack.capacity === 0) return { slots: [{}], more: 0 };
  // More may be out than the rack has now, when somebody made it smaller.
  const count = Math.max(rack.capacity, rack.holders.length);
  const drawn = Math.min(count, MOST_SLOTS);
  return {
    slots: Array.from({ length: drawn }, (_, i) => ({ holder: rack.holders[i] })),
    more: count - drawn,
  };
}

/** A part of the wall: a frame round the tools of a group, or the tools that have none. */
export interface Panel {
  group?: GroupRack;
  racks: Rack[];
}

/** Parts the wall: groups first, the ones with most tools ahead, then the tools on their own. */
export function panels(racks: Rack[], groups: GroupRack[]): Panel[] {
  const framed = groups
    .map((group) => ({ group, racks: racks.filter((r) => r.group === group.group) }))
    .filter((panel) => panel.racks.length > 0)
    .sort((a, b) => b.racks.length - a.racks.length);
  const inFrame = new Set(framed.flatMap((p) => p.racks));
  const alone = racks.filter((r) => !inFrame.has(r));
  return alone.length ? [...framed, { racks: alone }] : framed;
}

/** What the head of the page counts. Tools without a limit are not counted: they never run out. */
export function count(racks: Rack[]): { free: number; out: number; waiting: number } {
  let [free, out, waiting] = [0, 0, 0];
  for (const rack of racks) {
    out += rack.holders.length;
    waiting += rack.waiting.length;
    if (rack.capacity > 0 && !rack.blockedBy?.length)
      free += Math.max(rack.capacity - rack.holders.length, 0);
  }
  return { free, out, waiting };
}
