// A chat is what was said, the tickets of its jobs and the questions that were answered. Each request has a part of its own:
// what answers it stands in it, also when the next request was said before the answer came. Within a part things stand in the
// order they happened.
import type { Ask } from '$stores/asks.svelte';
import type { Message } from '$stores/message.svelte';
import type { Job } from '$stores/jobs.svelte';

export type Entry =
  | { kind: 'message'; key: string; at: number; message: Message }
  | {
      kind: 'job';
      key: string;
      at: number;
      job: Job;
      /** The message that announced it, which its ticket makes needless, and the one that told of its end, which stands in it. */
      reply?: Message | undefined;
      report?: Message | undefined;
    }
  | { kind: 'record'; key: string; at: number; ask: Ask };

/** Puts the three in order. Each list is in order already. */
export function timeline(messages: Message[], jobs: Job[], records: Ask[]): Entry[] {
  const parts: Entry[][] = [[]];
  const partOf = new Map<string, number>();
  for (const message of messages) {
    const answers = message.role === 'shop' && message.turn ? partOf.get(message.turn) : undefined;
    if (message.role === 'customer') partOf.set(message.id, parts.push([]) - 1);
    parts[answers ?? parts.length - 1]?.push({
      kind: 'message',
      key: message.id,
      at: message.at,
      message,
    });
  }
  const during = (at: number): Entry[] =>
    parts.findLast((part, n) => n === 0 || (part[0]?.at ?? 0) <= at) ?? [];
  for (const job of jobs) {
    const at = Date.parse(job.created) || 0;
    const n = partOf.get(job.turn);
    const part = (n === undefined ? undefined : parts[n]) ?? during(at);
    place(part, { kind: 'job', key: `job:${job.id}`, at, job });
  }
  for (const ask of records) {
    const at = Date.parse(ask.closedAt) || 0;
    const part = during(at);
    part.splice(
      behind(part, (e) => e.at <= at),
      0,
      { kind: 'record', key: `ask:${ask.id}`, at, ask },
    );
  }
  return parts.flat();
}

/** "I'll start it" is read first, then one sees the ticket, then what came of it. */
function place(part: Entry[], ticket: Extract<Entry, { kind: 'job' }>): void {
  const { job, at } = ticket;
  const said = (e: Entry): Message | undefined => (e.kind === 'message' ? e.message : undefined);
  // Tickets from before replies were noted on them: the reply is the next thing the shop says.
  const known = job.turn !== '';
  const hands = (e: Entry) =>
    known ? said(e)?.id === job.reply : said(e)?.role === 'shop' && e.at >= at;
  const early = part.filter((e) => said(e)?.role === 'job' && said(e)?.jobId === job.id);
  for (const e of early) part.splice(part.indexOf(e), 1);
  const reply = part.findIndex(hands);
  let to = reply < 0 ? behind(part, (e) => e.at <= at) : reply + 1;
  if (reply < 0 && known && part.length) to = Math.max(to, 1);
  while (part[to]?.kind === 'job') to++;
  part.splice(to, 0, ticket);
  for (const e of early) {
    const after = behind(part, (other) => other.at <= e.at);
    part.splice(Math.max(after, part.indexOf(ticket) + 1), 0, e);
  }
}

/** The place behind the last entry for which it is so. */
const behind = (part: Entry[], so: (e: Entry) => boolean): number => part.findLastIndex(so) + 1;
