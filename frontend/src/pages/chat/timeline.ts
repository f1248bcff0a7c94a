// A chat is what was said, the tickets of its jobs and the questions that were answered, in the order they happened.
import type { Ask } from '$stores/asks.svelte';
import type { Message } from '$stores/chats.svelte';
import type { Job } from '$stores/jobs.svelte';

export type Entry =
  | { kind: 'message'; key: string; at: number; message: Message }
  | { kind: 'job'; key: string; at: number; job: Job }
  | { kind: 'record'; key: string; at: number; ask: Ask };

/** Merges the three. Each list is in order already; what has no time stays where its list has it. */
export function timeline(messages: Message[], jobs: Job[], records: Ask[]): Entry[] {
  const said = messages.map((message): Entry => ({
    kind: 'message',
    key: message.id,
    at: message.at,
    message,
  }));
  const tickets = jobs.map((job): Entry => ({
    kind: 'job',
    key: `job:${job.id}`,
    at: Date.parse(job.created) || 0,
    job,
  }));
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
