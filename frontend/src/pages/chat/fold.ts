// A small job is one thing to the person who asked for it: its ticket takes in the reply that announced it and what came
// of it. What has more to say stays a message of its own.
import type { Message } from '$stores/message.svelte';

import type { Entry } from './timeline';

/** What is longer than this, in characters, is read better outside of the ticket. */
const ANNOUNCES = 80;
const TELLS = 400;

const plain = (m: Message, most: number): boolean =>
  !m.streaming &&
  m.text.length <= most &&
  !m.reasoning &&
  m.buttons.length + m.sources.length + m.trail.length + m.unverified.length === 0;

/** Puts announcements and results into the tickets they are about. */
export function fold(entries: readonly Entry[]): Entry[] {
  const taken = new Set<Entry>();
  const tickets = new Map<Entry, Entry>();
  entries.forEach((entry, at) => {
    if (entry.kind !== 'job') return;
    const small = entry.job.todos.length <= 1;
    const report = small || entry.job.state === 'failed' ? told(entries, at) : undefined;
    const reply = small ? announced(entries, at) : undefined;
    for (const e of [report, reply]) if (e) taken.add(e);
    if (report ?? reply)
      tickets.set(entry, { ...entry, report: report?.message, reply: reply?.message });
  });
  return tickets.size
    ? entries.flatMap((e) => (taken.has(e) ? [] : (tickets.get(e) ?? e)))
    : [...entries];
}

type Said = Extract<Entry, { kind: 'message' }>;

/** The message that tells how the job ended, unless the person has said something in between. */
function told(entries: readonly Entry[], at: number): Said | undefined {
  const job = entries[at]?.kind === 'job' ? entries[at].job : undefined;
  if (!job?.ended) return undefined;
  for (const e of entries.slice(at + 1)) {
    if (e.kind !== 'message') continue;
    if (e.message.role === 'customer') return undefined;
    if (e.message.jobId === job.id) return plain(e.message, TELLS) ? e : undefined;
  }
  return undefined;
}

/** The short reply that says no more than that this job begins: it repeats the ticket's title. */
function announced(entries: readonly Entry[], at: number): Said | undefined {
  const [before, ticket, after] = [entries[at - 1], entries[at], entries[at + 1]];
  if (before?.kind !== 'message' || ticket?.kind !== 'job' || after?.kind === 'job')
    return undefined;
  const { role, code, text } = before.message;
  if (role !== 'shop' || code || !plain(before.message, ANNOUNCES)) return undefined;
  return text.includes(ticket.job.title) && !/[?？\n]/.test(text.trim()) ? before : undefined;
}

/** Whether a message stands in this entry, by itself or in a ticket. */
export const holds = (entry: Entry, id: string): boolean =>
  entry.key === id || (entry.kind === 'job' && [entry.report?.id, entry.reply?.id].includes(id));
