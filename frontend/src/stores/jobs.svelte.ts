import { SvelteMap } from 'svelte/reactivity';

import { api } from '$lib/api';
import type { Envelope } from '$lib/events';
import type { ChatMessage, JobState, JobView, Snapshot, TodoView, event } from '$lib/api/types';

import { jobChat, thoughtOf } from './chats.svelte';

const ended: ReadonlySet<JobState> = new Set(['succeeded', 'failed', 'canceled']);

/** One job: a ticket. Each field is watched by itself, so a change draws one card and no other. */
export class Job {
  readonly id: string;
  number = $state(0);
  title = $state('');
  chat = $state('');
  /** The customer's message that asked for it, and the shop's message that hands it out. */
  turn = $state('');
  reply = $state('');
  state = $state<JobState>('queued');
  reason = $state('');
  code = $state('');
  todos = $state.raw<TodoView[]>([]);
  report = $state('');
  /** What was really done, as the shop noted it, where the report is a model's word. */
  did = $state.raw<event.Effect[]>([]);
  /** Something of what it did can be taken back. */
  undoable = $state(false);
  /** It was taken back, of which the shop's view of it tells nothing. */
  #takenBack = false;
  /** It is what an imported file says of a job: the shop did nothing of it. */
  imported = $state(false);
  /** What asked for it is out of sight, in a version that is not shown. */
  aside = $state(false);
  created = $state('');
  started = $state('');
  endedAt = $state('');
  /** Place in the line for a worker or a tool, from 1; 0 when in no line. */
  place = $state(0);
  /** What the interpreter does for this job right now, in the shop's words; empty when nothing. */
  activity = $state('');
  /** The place of this job's letter in the line for the model, from 1; 0 when it stands in none. */
  modelPlace = $state(0);
  /** What a model writes for the todo at hand, until the todo has it. */
  draft = $state('');
  thoughts = $state('');
  /** How many of how many things the tool at work has done, where it says so. */
  progress = $state.raw<{ done: number; of: number }>();

  constructor(id: string) {
    this.id = id;
  }

  get ended(): boolean {
    return ended.has(this.state);
  }

  get done(): number {
    return this.todos.reduce(
      (n, t) => n + (t.state === 'done' || t.state === 'skipped' ? 1 : 0),
      0,
    );
  }

  /** The todo the job stands at, if it is under way. */
  get current(): TodoView | undefined {
    return this.todos.find((t) => t.state === 'running' || t.state === 'waiting');
  }

  /** Forgets what the model was doing: the step is over. */
  settle(): void {
    this.activity = '';
    this.modelPlace = 0;
    this.draft = '';
    this.thoughts = '';
    this.progress = undefined;
  }

  tookBack(): void {
    this.#takenBack = true;
    this.undoable = false;
  }

  fill(v: JobView): this {
    this.number = v.number;
    this.title = v.title;
    this.chat = v.chat;
    this.turn = v.turn ?? '';
    this.reply = v.reply ?? '';
    this.state = v.state;
    this.reason = v.reason ?? '';
    this.code = v.code ?? '';
    this.todos = v.todos ?? [];
    this.report = v.report ?? '';
    this.did = v.did ?? [];
    this.undoable = (v.undoable ?? false) && !this.#takenBack;
    this.imported = v.imported ?? false;
    this.aside = v.aside ?? false;
    this.created = v.created;
    this.started = v.started ?? '';
    this.endedAt = v.ended ?? '';
    this.place = v.place ?? 0;
    return this;
  }
}

/** Every job on the board, in ticket order. */
export class Jobs {
  readonly byId = new SvelteMap<string, Job>();
  /** Oldest ticket first. Replaced when jobs come or go, never when one changes. */
  readonly all = $derived([...this.byId.values()].sort((a, b) => a.number - b.number));
  readonly waiting = $derived(this.all.filter((j) => j.state === 'waiting'));
  readonly runningCount = $derived(
    this.all.reduce((n, j) => n + (j.state === 'running' ? 1 : 0), 0),
  );
  readonly queuedCount = $derived(this.all.reduce((n, j) => n + (j.state === 'queued' ? 1 : 0), 0));
  readonly endedCount = $derived(this.all.reduce((n, j) => n + (j.ended ? 1 : 0), 0));

  /** Jobs of one chat, oldest first. */
  readonly #byChat = $derived.by(() => {
    const chats = new Map<string, Job[]>();
    for (const job of this.all) {
      const list = chats.get(job.chat);
      if (list) list.push(job);
      else chats.set(job.chat, [job]);
    }
    return chats;
  });

  of(chat: string): Job[] {
    return this.#byChat.get(chat) ?? [];
  }

  get(id: string | undefined): Job | undefined {
    return id ? this.byId.get(id) : undefined;
  }

  load(snapshot: Snapshot): void {
    const views = snapshot.jobs ?? [];
    const ids = new Set(views.map((v) => v.id));
    for (const id of this.byId.keys()) if (!ids.has(id)) this.byId.delete(id);
    for (const view of views) this.put(view);
  }

  put(view: JobView): Job {
    const known = this.byId.get(view.id);
    if (known) return known.fill(view);
    const job = new Job(view.id).fill(view);
    this.byId.set(view.id, job);
    return job;
  }

  cancel = (id: string): Promise<void> => api.cancelJob(id);

  /** Takes a job back, by a job of its own that asks first. */
  undo = (id: string): Promise<ChatMessage> => api.undoJob(id);

  /** Says something to the worker who does a job. */
  tell = (id: string, text: string): Promise<ChatMessage> => api.say(jobChat(id), text, '', '');

  /** Takes ended jobs off, as the shop does when asked to clear them. */
  clearEnded(): void {
    for (const job of this.all) if (job.ended) this.byId.delete(job.id);
  }

  /**
   * Whether an envelope tells of the work on a job, not of what is said in a chat: its letters, and what a model writes
   * for one of its todos. What a model writes for its report is a message of the chat.
   */
  owns(e: Envelope): boolean {
    if (!e.job || e.chat === jobChat(e.job)) return false;
    switch (e.kind) {
      case 'agent.start':
      case 'agent.queued':
      case 'agent.done':
        return true;
      case 'chat.token':
        return this.#isTodo(e.job, e.data.id);
      case 'thinking': {
        const id = thoughtOf(e.data);
        return id ? this.#isTodo(e.job, id) : e.data.step !== 'context';
      }
      default:
        return false;
    }
  }

  #isTodo(job: string, id: string): boolean {
    return this.byId.get(job)?.todos.some((t) => t.id === id) ?? false;
  }

  #hear(e: Envelope): void {
    const job = this.get(e.job);
    if (!job || job.ended) return;
    switch (e.kind) {
      case 'agent.start':
        job.activity = e.data.label;
        job.modelPlace = 0;
        return;
      case 'agent.queued':
        job.modelPlace = e.data.place;
        return;
      case 'agent.done':
        job.activity = '';
        job.modelPlace = 0;
        return;
      case 'chat.token':
        job.modelPlace = 0;
        job.draft = e.data.reset ? e.data.delta : job.draft + e.data.delta;
        return;
      case 'thinking':
        if (thoughtOf(e.data)) {
          job.modelPlace = 0;
          job.thoughts += e.data.text;
        } else if (progressOf(e.data)) {
          job.progress = progressOf(e.data);
        } else if (!e.data.work?.wrote) job.activity = e.data.text; // what it writes is seen growing
        return;
    }
  }

  apply(e: Envelope): void {
    if (this.owns(e)) return this.#hear(e);
    switch (e.kind) {
      case 'chat.deleted':
        for (const job of this.of(e.data.id)) this.byId.delete(job.id);
        return;
      case 'chat.cut':
        for (const id of e.data.jobs ?? []) this.byId.delete(id);
        for (const job of this.byId.values())
          if (e.data.messages?.includes(job.turn)) job.aside = true;
        return;
      case 'job.created': {
        if (this.byId.has(e.data.id)) return;
        const job = new Job(e.data.id);
        job.number = e.data.number;
        job.title = e.data.title;
        job.chat = e.data.chat || e.chat || '';
        job.turn = e.data.turn ?? '';
        job.reply = e.data.reply ?? '';
        job.place = e.data.place ?? 0;
        job.created = e.time;
        job.todos = (e.data.todos ?? []).map((t) => ({ ...t, state: 'pending', node: '' }));
        this.byId.set(job.id, job);
        return;
      }
      case 'job.state': {
        const job = this.byId.get(e.data.id);
        if (!job) return;
        job.state = e.data.to;
        job.reason = e.data.reason ?? '';
        if (job.state === 'running') {
          job.place = 0;
          if (!job.started) job.started = e.time;
        }
        if (job.ended) {
          job.settle();
          job.place = 0;
          job.endedAt = e.time;
        }
        return;
      }
      case 'todo.state': {
        const job = this.byId.get(e.data.jobId);
        if (!job) return;
        const { todoId, index, state, node, title, tool } = e.data;
        const at = job.todos.findIndex((t) => t.id === todoId);
        const known = job.todos[at];
        if (state !== known?.state) job.settle();
        const todo: TodoView = {
          ...(known ?? { id: todoId, title: '' }),
          state,
          node,
          ...(title ? { title } : {}),
          ...(tool ? { tool } : {}),
        };
        // A todo that was planned anew may be one the ticket did not have yet.
        job.todos = known ? job.todos.with(at, todo) : job.todos.toSpliced(index, 0, todo);
        return;
      }
      case 'job.report': {
        const job = this.byId.get(e.data.jobId);
        if (job) {
          [job.report, job.did] = [e.data.text, e.data.did ?? []];
          job.undoable = e.data.undoable ?? false;
        }
        return;
      }
      case 'tool.queued': {
        const job = this.byId.get(e.data.jobId);
        if (job) job.place = e.data.place;
        return;
      }
      case 'tool.acquired': {
        const job = this.byId.get(e.data.jobId);
        if (job) job.place = 0;
        return;
      }
    }
  }
}

/** How far a tool is that does many things. */
function progressOf(thinking: event.Thinking): { done: number; of: number } | undefined {
  const data = thinking.data as { done?: unknown; of?: unknown } | null | undefined;
  return typeof data?.done === 'number' && typeof data.of === 'number'
    ? { done: data.done, of: data.of }
    : undefined;
}
