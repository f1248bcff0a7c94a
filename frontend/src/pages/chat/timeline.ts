// A chat is what was said, the tickets of its jobs and the questions that were answered, in the order they happened.
import type { Ask } from '$stores/asks.svelte';
import type { Message } from '$stores/chats.svelte';
import type { Job } from '$stores/jobs.svelte';

export type Entry =
  | { kind: 'message'; key: string; at: number; message: Message }
  | { kind: 'job'; key: string; at: number; job: Job }
  | { kind: 'record'; key: string; at: number; ask: Ask };

/** A reply this soon after a job was made is about it, in ms. */
const ABOUT = 1500;

/** Merges the three. Each list is in order already; what has no time stays where its list has it. */
export function timeline(messages: Message[], jobs: Job[], records: Ask[]): Entry[] {
  const said = messages.map((message): Entry => ({
    kind: 'message',
    key: message.id,
    at: message.at,
    message,
  }));
  const replies = messages.filter((m) => m.role === 'shop');
  let next = 0;
  const tickets = jobs.map((job): Entry => {
    const made = Date.parse(job.created) || 0;
    while (next < replies.length && (replies[next]?.at ?? 0) < made) next++;
    // "I'll start it" is read first, then one sees the ticket, whichever was written a moment earlier.
    const reply = replies[next];
    const at = reply && reply.at - made < ABOUT ? reply.at : made;
    return { kind: 'job', key: `job:${job.id}`, at, job };
  });
  const answers = records.map((ask): Entry => ({
    kind: 'record',
    key: `ask:${ask.id}`,
    at: Date.parse(ask.closedAt) || 0,
    ask,
  }));
  return merge(merge(said, tickets), answers);
}

function merge(a: Entry[], b: Entry[]): Entry[] {
  if (!b.length) return a;
  if (!a.length) return b;
  const merged: Entry[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left && (!right || left.at <= right.at)) {
      merged.push(left);
      i++;
    } else if (right) {
      merged.push(right);
      j++;
    }
  }
  return merged;
}
