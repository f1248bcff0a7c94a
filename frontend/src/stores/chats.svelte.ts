import { SvelteMap } from 'svelte/reactivity';

import { api } from '$lib/api';
import type { Envelope } from '$lib/events';
import type { DeletedChat, Snapshot, event } from '$lib/api/types';

import { Chat } from './chat.svelte';
import { Message } from './message.svelte';

export const MAIN_CHAT = 'main';
const JOB_CHAT = 'job:';

/** The id of a job's own chat, where one speaks to the worker that does it. */
export const jobChat = (job: string) => JOB_CHAT + job;

/** All conversations, and which one is being read. */
export class Chats {
  readonly byId = new SvelteMap<string, Chat>();
  currentId = $state(MAIN_CHAT);

  /** Conversations of the side bar, newest first. */
  readonly list = $derived(
    [...this.byId.values()]
      .filter((c) => !c.id.startsWith(JOB_CHAT))
      .sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0)),
  );

  get current(): Chat {
    return this.byId.get(this.currentId) ?? this.open(this.currentId);
  }

  /** Those that were deleted and can be taken back, the last first; known once somebody looked. */
  deleted = $state.raw<DeletedChat[]>([]);

  #errors = 0;
  /** How often the list of deleted chats was asked for: an older answer must not cover a newer one. */
  #looks = 0;
  /** One that was taken back and is not here yet, and what was open then; `told` once an event has said so, which a snapshot with it follows. */
  #back: { id: string; from: string; told: boolean } | undefined;
  /** Those whose place was heard of. */
  #met = new Set<string>();
  #blank = new Chat(MAIN_CHAT);

  /** The chat with this id; a chat nobody has heard of is shown as an empty one. */
  open(id: string): Chat {
    return (
      this.byId.get(id) ?? (this.#blank.id === id ? this.#blank : (this.#blank = new Chat(id)))
    );
  }

  ensure(id: string): Chat {
    let chat = this.byId.get(id);
    if (!chat) {
      chat = this.#blank.id === id ? this.#blank : new Chat(id);
      this.byId.set(id, chat);
    }
    return chat;
  }

  /** Begins a chat and opens it. */
  async begin(): Promise<true> {
    const made = await api.newChat();
    this.ensure(made.id).title ||= made.title;
    this.currentId = made.id;
    return true;
  }

  /** Takes a deleted chat off the list. */
  forget(id: string): void {
    this.#lose(id);
    if (this.currentId === id) this.currentId = this.list[0]?.id ?? MAIN_CHAT;
  }

  #lose(id: string): void {
    if (this.#blank.id === id) this.#blank = new Chat(id); // it may be the very one, with all that was said in it
    this.byId.delete(id);
  }

  /** Reads the list of deleted chats anew; when that fails, the list of before stays. */
  async loadDeleted(): Promise<void> {
    const look = ++this.#looks;
    const found = await api.deletedChats().catch(() => this.deleted);
    if (look === this.#looks) this.deleted = found;
  }

  /** Makes a chat of what stands in another up to a message, and opens it; its messages are fetched then. */
  async fork(message: string, title: string): Promise<void> {
    const made = await api.forkChat(message, title);
    const chat = this.ensure(made.id);
    chat.title = made.title;
    chat.complete = false;
    this.currentId = made.id;
  }

  /** Lets go for good of a deleted chat. */
  async drop(id: string): Promise<void> {
    await api.dropChat(id);
    await this.loadDeleted();
  }

  /** Deletes a chat with what is under way in it. */
  async delete(chat: Chat): Promise<void> {
    await api.deleteChat(chat.id);
    this.forget(chat.id);
  }

  /**
   * Takes a deleted chat back and opens it, once a snapshot, which follows the event, has brought what stands in it: its messages alone, without the
   * tickets that take them in, would be another chat. Who opens another one meanwhile stays there.
   */
  async takeBack(id: string): Promise<void> {
    await api.restoreChat(id);
    if (this.byId.has(id)) this.currentId = id;
    else this.#back = { id, from: this.currentId, told: false };
  }

  #openBack(): void {
    const back = this.#back;
    if (!back || !(back.told || this.byId.has(back.id))) return;
    this.#back = undefined;
    const stayed = this.currentId === back.from || !this.byId.has(back.from);
    if (stayed && this.byId.has(back.id)) this.currentId = back.id;
  }

  load(snapshot: Snapshot): void {
    void this.loadDeleted();
    const views = snapshot.chats ?? [];
    const ids = new Set(views.map((v) => v.id));
    const working = new Set((snapshot.jobs ?? []).filter((j) => !j.ended).map((j) => j.id));
    for (const id of this.byId.keys()) if (!ids.has(id) && !id.startsWith(JOB_CHAT)) this.#lose(id);
    for (const view of views) {
      const chat = this.ensure(view.id);
      chat.title = view.title;
      chat.updated = view.updated;
      chat.pinned = view.pinned ?? false;
      chat.archived = view.archived ?? false;
      chat.project = view.project ?? '';
      chat.instructions = view.instructions ?? '';
      chat.model = view.model ?? '';
      // What happened since the program began is known here.
      if (!this.#met.has(view.id)) {
        chat.unread = view.unread ?? false;
        chat.spot = view.line ? { line: view.line, offset: view.offset ?? 0 } : undefined;
      }
      this.#met.add(view.id);
      // A chat has its title from its first message.
      if (!view.title && !view.messages?.length) chat.complete = true;
      if (chat.busy !== (view.busy ?? false)) chat.turn(view.busy ?? false);
      // What was fetched before the newest messages stays: the snapshot only carries the end of a chat.
      const fresh = view.messages ?? [];
      const known = new Map(chat.messages.map((m) => [m.id, m]));
      const first = fresh[0];
      const cut = first ? chat.messages.findIndex((m) => m.id === first.id) : -1;
      const older = cut > 0 ? chat.messages.slice(0, cut) : [];
      // What is being written right now is in no snapshot yet. It may miss a piece; the whole message mends that.
      const told = new Set(fresh.map((m) => m.id));
      const growing = chat.messages.filter(
        (m) => m.streaming && !told.has(m.id) && (m.jobId ? working.has(m.jobId) : chat.busy),
      );
      chat.messages = [
        ...older.filter((m) => !m.streaming),
        ...fresh.map((m) => known.get(m.id)?.fill(m) ?? Message.from(m)),
        ...growing,
      ];
    }
    this.#openBack();
    if (!this.byId.has(this.currentId)) this.currentId = this.list[0]?.id ?? MAIN_CHAT;
  }

  /**
   * The chat an envelope tells of. Only a customer's words and the shop's own word open one: what is still told of a chat
   * that was deleted does not bring it back. A job's own chat is always there.
   */
  #of(e: Envelope): Chat | undefined {
    if (!e.chat) return undefined;
    if (e.chat.startsWith(JOB_CHAT)) return this.ensure(e.chat);
    return this.byId.get(e.chat);
  }

  apply(e: Envelope): void {
    switch (e.kind) {
      case 'chat.created': {
        const known = this.byId.has(e.data.id);
        const chat = this.ensure(e.data.id);
        if (!known) chat.complete = true;
        chat.title = e.data.title;
        if (!chat.updated) chat.updated = e.time;
        return;
      }
      case 'chat.deleted':
        this.forget(e.data.id);
        void this.loadDeleted();
        return;
      case 'chat.restored':
        if (this.#back?.id === e.data.id) this.#back.told = true;
        this.#looks++; // what was asked for before has it still; the snapshot that follows asks anew
        this.deleted = this.deleted.filter((c) => c.id !== e.data.id);
        return;
      case 'chat.pinned': {
        const chat = this.byId.get(e.data.id);
        if (chat) chat.pinned = e.data.pinned;
        return;
      }
      case 'chat.changed': {
        const chat = this.byId.get(e.data.id);
        if (!chat) return;
        chat.archived = e.data.archived ?? false;
        chat.project = e.data.project ?? '';
        chat.instructions = e.data.instructions ?? '';
        chat.model = e.data.model ?? '';
        return;
      }
      case 'chat.version': {
        // What stands there now comes with the snapshot that follows.
        const chat = e.chat ? this.byId.get(e.chat) : undefined;
        if (!chat) return;
        chat.cut(new Set(e.data.messages ?? []));
        chat.complete = false;
        return;
      }
      case 'chat.cut':
        if (e.chat) this.byId.get(e.chat)?.cut(new Set(e.data.messages ?? []));
        return;
      case 'chat.message': {
        const opens = e.data.role === 'customer' || e.chat === MAIN_CHAT; // reminders are told there
        const chat = e.chat && opens ? this.ensure(e.chat) : this.#of(e);
        if (!chat) return;
        // Whatever the reply became, it takes the place of the one that was being written.
        if (e.data.role === 'shop') chat.drop((m) => m.role === 'shop' && m.id !== e.data.id);
        const known = chat.find(e.data.id);
        const news = !known || known.streaming; // it may have been seen to grow
        if (known) known.fill(e.data);
        else chat.add(Message.from(e.data, e.time));
        if (e.data.role === 'customer') chat.turn(true, e.time);
        else if (news && chat.id !== this.currentId) chat.unread = true;
        return;
      }
      case 'chat.token': {
        const message = this.#of(e)?.write(e.data.id, e.time, jobOf(e));
        if (!message?.streaming) return;
        message.text = e.data.reset ? e.data.delta : message.text + e.data.delta;
        return;
      }
      case 'agent.start':
      case 'agent.done': {
        const chat = this.#of(e);
        if (!chat) return;
        chat.activity = e.kind === 'agent.start' ? e.data.label : '';
        chat.work = undefined;
        chat.place = 0;
        return;
      }
      case 'agent.queued': {
        const chat = this.#of(e);
        if (chat) chat.place = e.data.place;
        return;
      }
      case 'thinking': {
        const chat = this.#of(e);
        if (!chat) return;
        const id = thoughtOf(e.data);
        if (id) {
          const message = chat.write(id, e.time, jobOf(e));
          if (message.streaming) message.reasoning += e.data.text;
        } else if (e.data.step === 'context' && !ofAnswer(e.data)) {
          // That something was shortened must not pass by in a moment.
          chat.add(new Message(`note-${e.seq}`, 'note', e.time, e.data.text));
        } else if (e.data.work) chat.work = e.data.work;
        else chat.activity = e.data.text;
        return;
      }
      case 'request.moved': {
        this.#of(e)?.add(new Message(`note-${e.seq}`, 'note', e.time, e.data.text));
        return;
      }
      case 'sources': {
        const message = e.chat ? this.byId.get(e.chat)?.find(e.data.messageId) : undefined;
        if (message) message.sources = e.data.items ?? [];
        return;
      }
      case 'turn.done': {
        const chat = this.#of(e);
        if (!chat) return;
        chat.turn(false);
        chat.drop((m) => m.role === 'shop');
        const last = chat.messages.at(-1);
        const buttons = e.data.uiHint?.buttons ?? [];
        if (buttons.length && last && last.role !== 'customer' && !last.buttons.length)
          last.buttons = buttons;
        return;
      }
      case 'error': {
        const chat = this.#of(e);
        if (!chat) return;
        const message = new Message(`error-${++this.#errors}`, 'error', e.time, e.data.message);
        message.code = e.data.code;
        chat.add(message);
        return;
      }
    }
  }
}

/** The job an envelope about a reply belongs to. What is said in a job's own chat is a reply like any other. */
const jobOf = (e: Envelope): string | undefined =>
  e.job && !e.chat?.startsWith(JOB_CHAT) ? e.job : undefined;

/** A step on the library's way to an answer, which is kept with the answer. */
const ofAnswer = (thinking: event.Thinking): boolean =>
  typeof (thinking.data as { message?: unknown } | null | undefined)?.message === 'string';

/** The message or todo a piece of reasoning belongs to. */
export function thoughtOf(thinking: event.Thinking): string | undefined {
  const data = thinking.data as { id?: unknown } | null | undefined;
  return thinking.step === 'generating' && typeof data?.id === 'string' ? data.id : undefined;
}
