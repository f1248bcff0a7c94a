import type { TodoView } from '$lib/api/types';
import type { Chat } from '$stores/chat.svelte';
import type { Job } from '$stores/jobs.svelte';
import type { Message } from '$stores/message.svelte';
import { shop } from '$stores/shop.svelte';
import { attempt, toasts } from '$stores/toasts.svelte';
import { view, type Anew } from '$stores/view.svelte';

import { sayInstead } from './actions';
import { againText as t } from './againText';

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

/**
 * Answers the request of a reply once more; model is the one that is to do it, as server/model, '' for whichever answers here. Where it started
 * something that goes on or can be taken back, `ask` has the person say first what is to become of that.
 */
export async function again(
  chat: Chat,
  reply: Message,
  ask: (request: Message, anew: Anew) => void,
  model = '',
): Promise<void> {
  const request = chat.requestOf(reply);
  const jobs = undecided((request && jobsOf(chat, request)) ?? []);
  if (!request) return;
  const { id, text, about, attachments } = request;
  if (jobs.length) ask(request, { back: jobs.flatMap((j) => (j.ended ? [j.id] : [])), model });
  else await sayInstead(chat, id, text, about, attachments, { model });
}

/** Takes a job back and waits until that is over, however long its question stands. True when it was done. */
export function takenBack(id: string): Promise<boolean> {
  const over = new Set<string>();
  const of = shop.jobs.get(id)?.chat ?? '';
  return new Promise((resolve, reject) => {
    let turn: string | undefined;
    let missed = false;
    /** No job comes of it any more; where events are missing, the chat tells by being done with it. */
    const ended = (turn: string) => {
      if (over.has(turn)) return true;
      const chat = shop.chats.byId.get(of);
      return missed && (!chat || (!chat.busy && chat.find(turn) !== undefined));
    };
    const look = () => {
      if (turn === undefined) return;
      const job = shop.jobs.all.find((j) => j.turn === turn);
      if (job ? !job.ended : !ended(turn)) return;
      stop();
      resolve(job?.state === 'succeeded');
    };
    const stop = shop.watch(
      (e) => {
        if (e.kind === 'turn.done') over.add(e.data.messageId);
        look();
      },
      () => {
        missed = true;
        look();
      },
    );
    shop.jobs.undo(id).then(
      (message) => {
        turn = message.id;
        look();
      },
      (refused: unknown) => {
        stop();
        reject(refused instanceof Error ? refused : new Error(String(refused)));
      },
    );
  });
}

/**
 * Takes back what is to be before the request that is changed in a chat is said anew, the last first, each with its own question. What was taken
 * back is not asked about again, however the rest ends. True when nothing of it is left and the request is still the one that is changed.
 */
export async function takeBack(chat: string): Promise<boolean> {
  const change = view.editing[chat];
  if (!change) return false;
  if (view.taking[chat]) {
    toasts.show({ kind: 'info', text: t.stillTaking });
    return false;
  }
  view.taking[chat] = change.id;
  try {
    for (const id of change.back?.toReversed() ?? []) {
      const done = await attempt(() => takenBack(id));
      const now = view.editing[chat];
      if (done) {
        shop.jobs.get(id)?.tookBack();
        if (now?.back) now.back = now.back.filter((one) => one !== id);
      } else if (now === change) toasts.show({ kind: 'info', text: t.notTakenBack });
      if (!done || now !== change) return false;
    }
    return true;
  } finally {
    view.taking[chat] = undefined;
  }
}
