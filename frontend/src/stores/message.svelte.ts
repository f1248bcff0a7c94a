import type { ChatMessage, event } from '$lib/api/types';

/** Who speaks. An error and a note are only shown; the shop does not keep them. */
export type Role = event.Role | 'error' | 'note';

/** One message. Its text grows while it streams, so it is read where it is shown and nowhere else. */
export class Message {
  readonly id: string;
  readonly role: Role;
  readonly time: string;
  /** The same in ms, for putting things in order. */
  readonly at: number;
  text = $state('');
  streaming = $state(false);
  /** What the model thought before it answered; shown folded, never part of the text. */
  reasoning = $state('');
  jobId = $state<string>();
  /** The customer's message that this one answers, or whose job it tells of. */
  turn = $state<string>();
  code = $state<string>();
  /** The one document that a customer's message asks about. */
  about = $state.raw<event.DocumentRef>();
  /** The files that a customer's message came with. */
  attachments = $state.raw<event.Attachment[]>([]);
  /** The standing order that it belongs to. */
  standing = $state.raw<event.StandingRef>();
  buttons = $state.raw<event.Button[]>([]);
  sources = $state.raw<event.Source[]>([]);
  /** How the library found its answer, step by step, and what the answer names that no passage holds. */
  trail = $state.raw<event.Thinking[]>([]);
  unverified = $state.raw<string[]>([]);

  /** All that a request was, oldest first; none where it was said once. */
  versions = $state.raw<string[]>([]);

  /** What was really done, as the shop noted it, where the text is a model's word. */
  did = $state.raw<event.Effect[]>([]);

  constructor(id: string, role: Role, time: string, text = '') {
    this.id = id;
    this.role = role;
    this.time = time;
    this.at = Date.parse(time) || 0;
    this.text = text;
  }

  /** The shop has it, too. */
  get kept(): boolean {
    return this.role !== 'error' && this.role !== 'note';
  }

  static from(m: ChatMessage, time = ''): Message {
    return new Message(m.id, m.role, m.time || time, '').fill(m);
  }

  fill(m: ChatMessage): this {
    this.text = m.text;
    this.reasoning = m.reasoning ?? '';
    this.jobId = m.jobId || undefined;
    this.turn = m.turn || undefined;
    this.code = m.code || undefined;
    this.about = m.about;
    this.attachments = m.attachments ?? [];
    this.versions = m.versions ?? [];
    this.standing = m.standing;
    this.buttons = m.buttons ?? [];
    this.did = m.did ?? [];
    if (m.library) {
      this.sources = m.library.sources ?? [];
      this.trail = m.library.trail ?? [];
      this.unverified = m.library.unverified ?? [];
    }
    this.streaming = false;
    return this;
  }
}
