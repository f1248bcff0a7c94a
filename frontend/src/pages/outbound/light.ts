import type { OutboundState } from '$lib/api/types';

import { text } from './lightMessages';

/** What the light says: nothing leaves; nothing of the app's own does; it is being cut; things may leave. */
export type Light = 'nothing' | 'unseen' | 'cutting' | 'open';

/** The light is green only when the switch is thrown, nothing is under way, no program runs that nobody here can watch, and no phone may look. */
export function light(s: OutboundState): Light {
  if (!s.offline) return 'open';
  if (s.going > 0) return 'cutting';
  return s.unseen.length || s.phones ? 'unseen' : 'nothing';
}

/** What the light says, in a sentence. */
export function lightText(s: OutboundState): string {
  return {
    nothing: () => text.nothing,
    unseen: () =>
      (s.unseen.length ? text.nothingBut(s.unseen.join(', ')) : text.sendsNothing) +
      (s.phones ? ` ${text.phones}` : ''),
    cutting: () => text.cutting,
    open: () => text.may,
  }[light(s)]();
}
