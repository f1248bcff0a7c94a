import { api } from '$lib/api';
import type { ChatMessage, ChatSettings, Instead, Version, event } from '$lib/api/types';

import { Message } from './message.svelte';

/** What is being written is among so many messages at the end of a chat. */
const NEWEST = 20;

/** A line of a chat (a message, a ticket, a question), and how much of it is above the edge, in its heights. */
export interface Place {
  line: string;
  offset: number;
}

/** One conversation. */
export class Chat {
  readonly id: string;
  title = $state('');
  updated = $state('');
  /** Something was said in it that nobody has looked at. */
  unread = $state(false);
  /** What stood at the top when it was last looked at; undefined: its end was in sight. */
  spot: Place | undefined;
  /** A person keeps it before the others. */
  pinned = $state(false);
  /** It is put away. */
  archived = $state(false);
  /** The project or folder it is in; '' for none. */
  project = $state('');
  /** What it carries itself. */
  instructions = $state('');
  model = $state('');
  /** Oldest first. Replaced as a whole when messages come or go, never when one of them streams. */
  messages = $state.raw<Message[]>([]);
  /** A turn is being answered. */
  busy = $state(false);
  /** What the interpreter does right now, in the shop's words; empty when nothing. */
  activity = $state('');
  /** How far a slow model is with an answer of which nothing is to be seen yet. */
  work = $state.raw<event.ModelWork>();
  /** The place of this chat's letter in the line for the model, from 1; 0 when it stands in none. */
  place = $state(0);
  /** When the turn that is being answered began, in ms. */
  since = $state(0);
  /** Everything older has been fetched. */
  complete = $state(false);

  constructor(id: string, title = '', updated = '') {
    this.id = id;
    this.title = title;
    this.updated = updated;
  }

  /** The reply to the customer that is being written. */
  get streaming(): boolean {
    return this.messages.slice(-NEWEST).some((m) => m.streaming && m.role === 'shop');
  }

  /** The request that is being answered: the oldest since the last answer, for turns go in order. */
  get asking(): string | undefined {
    const answered = new Set(this.messages.map((m) => m.turn));
    let asking: string | undefined;
    for (const m of this.messages.toReversed()) {
      if (m.role !== 'customer') continue;
      if (answered.has(m.id)) break;
      asking = m.id;
    }
    return asking;
  }

  /** Stops the reply that is being written. */
  stop = (): Promise<void> => api.stopReply(this.id);

  say = (text: string, action: string, seen: string): Promise<true> =>
    this.#takes(api.say(this.id, text, action, seen));

  /** Asks about one document. */
  sayAbout = (text: string, documentId: string): Promise<true> =>
    this.#takes(api.sayAbout(this.id, text, documentId));

  /**
   * Says something in the place of an earlier request, which goes out of sight as a version, with all that came of it and after it. The stream tells of both
   * at once; what the call answers may come before it, and would stand beside what is to go.
   */
  sayInstead = async (request: string, words: Partial<Instead>): Promise<true> => {
    await api.sayInstead(request, {
      text: '',
      document: '',
      attachments: [],
      keep: [],
      model: '',
      ...words,
    });
    return true;
  };

  /** All that a request was, with the work that each version started. */
  versions = (request: string): Promise<Version[]> => api.versions(request);
  /** Shows another version of a request; an event follows. */
  show = (version: string): Promise<void> => api.showVersion(version);
  /** The ids of the messages that say something, the newest first. */
  seekText = (text: string): Promise<string[]> => api.findInChat(this.id, text);
  /** Keeps how far it was read, and where one is in it, beyond the program's end. */
  look = (): Promise<void> => {
    const { line = '', offset = 0 } = this.spot ?? {};
    return api.looked(this.id, this.messages.findLast((m) => m.kept)?.id ?? '', line, offset);
  };
  archive = (archived: boolean): Promise<void> => api.archiveChat(this.id, archived);
  /** Gives it instructions and a model of its own, and a project. */
  set = (own: ChatSettings): Promise<void> => api.setChat(this.id, own);

  /** Says something with files that were handed in. */
  sayWith = (
    text: string,
    attachments: event.Attachment[],
    documentId: string,
    seen: string,
  ): Promise<true> =>
    this.#takes(api.sayWith({ chat: this.id, text, document: documentId, seen, attachments }));

  async #takes(said: Promise<ChatMessage>): Promise<true> {
    const message = await said;
    if (message.id) this.take(message);
    return true;
  }

  pin = (pinned: boolean): Promise<void> => api.pinChat(this.id, pinned);

  /** Gives it another title at once on the screen; if the shop refuses, it has the one before. */
  async rename(title: string): Promise<void> {
    const before = this.title;
    this.title = title;
    try {
      await api.renameChat(this.id, title);
    } catch (error) {
      this.title = before;
      throw error;
    }
  }

  /** Fetches older messages; false when there are none. */
  async fetch(limit: number): Promise<boolean> {
    const before = this.messages.find((m) => m.kept)?.id ?? '';
    const found = await api.history(this.id, before, limit);
    if (found.length < limit) this.complete = true;
    this.prepend(found);
    return found.length > 0;
  }

  /** Takes out what is gone with an earlier request, and what was only shown after it. */
  cut(ids: ReadonlySet<string>): void {
    const from = this.messages.findIndex((m) => ids.has(m.id));
    const gone = (m: Message, at: number) =>
      ids.has(m.id) || (m.turn ? ids.has(m.turn) : from >= 0 && at > from && !m.kept);
    this.messages = this.messages.filter((m, at) => !gone(m, at));
  }

  /** The request that a reply answers. Replies from before that was noted answer what was said last. */
  requestOf(reply: Message): Message | undefined {
    if (reply.turn) return this.find(reply.turn);
    const at = this.messages.indexOf(reply);
    return this.messages.slice(0, at).findLast((m) => m.role === 'customer');
  }

  find(id: string): Message | undefined {
    return this.messages.findLast((m) => m.id === id);
  }

  /** The message with this id that is being written; it is begun when this is its first piece. */
  write(id: string, time: string, jobId?: string): Message {
    const known = this.find(id);
    if (known) return known;
    const message = new Message(id, jobId ? 'job' : 'shop', time);
    message.jobId = jobId;
    message.turn = jobId ? undefined : this.asking;
    message.streaming = true;
    this.add(message);
    return message;
  }

  /** Takes away what was begun and never finished: nothing half written stays behind. */
  drop(unfinished: (m: Message) => boolean): void {
    if (this.messages.some((m) => m.streaming && unfinished(m))) {
      this.messages = this.messages.filter((m) => !m.streaming || !unfinished(m));
    }
  }

  /** A turn begins or ends. */
  turn(busy: boolean, time = ''): void {
    if (busy && !this.busy) this.since = Date.parse(time) || Date.now();
    this.busy = busy;
    this.activity = '';
    this.work = undefined;
    this.place = 0;
  }

  /** Puts in a message the shop just gave back, if the stream has not brought it yet. */
  take(message: ChatMessage): void {
    if (!this.find(message.id)) this.add(Message.from(message, new Date().toISOString()));
  }

  add(message: Message): void {
    this.messages = [...this.messages, message];
    if (message.time > this.updated) this.updated = message.time;
  }

  /** Puts older messages in front. Those already here are left out. */
  prepend(older: ChatMessage[]): void {
    const have = new Set(this.messages.map((m) => m.id));
    const fresh = older.filter((m) => !have.has(m.id)).map((m) => Message.from(m));
    if (fresh.length) this.messages = [...fresh, ...this.messages];
  }

  /** Takes a message away at once, and in the shop too; if that refuses, it is there again. Gives what brings it back. */
  async remove(id: string): Promise<(() => Promise<void>) | undefined> {
    const index = this.messages.findIndex((m) => m.id === id);
    const message = this.messages[index];
    if (!message) return undefined;
    this.messages = this.messages.toSpliced(index, 1);
    const restore = () => {
      if (!this.find(id))
        this.messages = this.messages.toSpliced(Math.min(index, this.messages.length), 0, message);
    };
    if (message.role === 'error') return undefined;
    try {
      await api.deleteMessage(id);
    } catch (thrown) {
      restore();
      throw thrown;
    }
    return () => api.restoreMessage(id).then(restore);
  }
}
