import type { TodoView } from '$lib/api/types';
import type { Chat } from '$stores/chat.svelte';
import type { Job } from '$stores/jobs.svelte';
import type { Message } from '$stores/message.svelte';
import { shop } from '$stores/shop.svelte';

// What becomes of the jobs of a request that is answered anew: nothing may be done twice because somebody wanted other words.

/**
 * The jobs that came of a request: those it started, and those whose results stand below it, which in a fork are another chat's to decide about. Jobs from before
 * that was noted began after it was said. undefined where one of them is not known any more.
 */
export function jobsOf(chat: Chat, request: Message): Job[] | undefined {
  const own = shop.jobs
    .of(chat.id)
    .filter(
      (job) =>
        !job.aside && (job.turn ? job.turn === request.id : Date.parse(job.created) >= request.at),
    );
  const told = chat.messages.flatMap((m) => (m.turn === request.id && m.jobId ? [m.jobId] : []));
  const others = told.map((id) => shop.jobs.get(id));
  if (others.some((job) => !job)) return undefined;
  return [...new Set([...own, ...others.flatMap((job) => job ?? [])])];
}

/** A step that nothing is known of counts as one that changes something. */
const changes = (todo: TodoView): boolean =>
  !!todo.tool && shop.inventory.rack(todo.tool)?.effect !== 'read';

const begun = (todo: TodoView): boolean => todo.state !== 'pending' && todo.state !== 'skipped';

/**
 * Whether what a job does may be asked for once more: it only reads, the one thing it changed can be taken back, or it goes on and is stopped in the
 * middle of what may be begun anew.
 */
export function repeatable(job: Job): boolean {
  const did = job.todos.filter((todo) => changes(todo) && begun(todo));
  if (job.ended) return did.length === 0 || (did.length === 1 && job.undoable);
  return did.every(
    (todo) =>
      todo.state !== 'done' && todo.tool && shop.inventory.rack(todo.tool)?.effect === 'idempotent',
  );
}

/** The jobs of which a person says what is to become of them. */
export const undecided = (jobs: Job[]): Job[] => jobs.filter((job) => !job.ended || job.undoable);

/** Whether a request can be answered once more; its reply or the result of its work is the last thing that was said. */
export function canRepeat(chat: Chat, answer: Message): boolean {
  if (chat.busy || answer.streaming) return false;
  if (answer.role !== 'shop' && (answer.role !== 'job' || !answer.turn)) return false;
  const request = chat.requestOf(answer);
  if (!request || request !== chat.messages.findLast((m) => m.role === 'customer')) return false;
  const jobs = jobsOf(chat, request);
  return (
    jobs?.every((job) => repeatable(job) && (job.chat === chat.id || !undecided([job]).length)) ??
    false
  );
}
