import type { Envelope } from '$lib/events';
import { plain } from '$lib/markdown/plain';

import { frameText as t } from './messages';

/** How long what happens is gathered before it is said, in ms: many at once are fewer sentences. */
export const GATHER_MS = 300;

/** How long a sentence stands where a screen reader hears of it, in ms. Nothing takes its place meanwhile. */
export const STANDS_MS = 30_000;

/** How long it takes to read a sentence aloud, about, in ms. */
export const readingMs = (text: string): number => 500 + 60 * text.length;

const ended = ['succeeded', 'failed', 'canceled'] as const;
type End = (typeof ended)[number];

const isEnd = (state: string): state is End => (ended as readonly string[]).includes(state);

/** A sentence that is said. */
export interface Said {
  id: number;
  text: string;
}

interface World {
  /** The title of a job that is known. */
  title: (jobId: string) => string | undefined;
  /** Whether the person has this chat before them. */
  shown: (chat: string) => boolean;
}

/**
 * What people who listen are told: new questions, ended jobs, what is said in the chat they are in, and notes in the corner.
 *
 * A screen reader interrupts itself for what is urgent, and what it was reading or had still to read is lost. So no sentence takes the place of another:
 * each is put behind those that stand, what is calm waits until what is urgent has been read, and what was interrupted is said once more.
 */
export class Announcements {
  urgent = $state<Said[]>([]);
  calm = $state<Said[]>([]);

  #world: World;
  #next = 1;
  #asked: string[] = [];
  #ended: { to: End; title: string }[] = [];
  #notes: { text: string; urgent: boolean }[] = [];
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #gathering = false;
  /** What is calm and has still to be said. */
  #waiting: string[] = [];
  #resting = false;
  /** Until when what was said takes to be read. */
  #urgentUntil = 0;
  #calmUntil = new Map<number, number>();

  constructor(world: World) {
    this.#world = world;
  }

  hear(e: Envelope): void {
    if (e.kind === 'ask.opened') {
      this.#asked.push(t.newQuestion(e.data.jobTitle ?? '', e.data.question));
    } else if (e.kind === 'job.state' && isEnd(e.data.to)) {
      const title = this.#world.title(e.data.id);
      if (!title) return;
      this.#ended.push({ to: e.data.to, title });
    } else if (e.kind === 'chat.message' && (e.data.role === 'shop' || e.data.role === 'job')) {
      // An answer is said once it is whole, not as it is written.
      const text = plain(e.data.text);
      if (!text || !e.chat || !this.#world.shown(e.chat)) return;
      this.#notes.push({ text, urgent: false });
    } else if (e.kind === 'error') {
      this.#notes.push({ text: e.data.message, urgent: true });
    } else {
      return;
    }
    this.#gather();
  }

  /** Says a note of the corner. */
  note(text: string, urgent: boolean): void {
    this.#notes.push({ text, urgent });
    this.#gather();
  }

  /** Says nothing any more. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #later(run: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.#later(() => this.#say(), GATHER_MS);
  }

  #say(): void {
    this.#gathering = false;
    const [asked, ends, notes] = [this.#asked, this.#ended, this.#notes];
    this.#asked = [];
    this.#ended = [];
    this.#notes = [];
    const question = asked[0];
    const urgent = notes.filter((n) => n.urgent).map((n) => n.text);
    if (question) urgent.unshift(asked.length === 1 ? question : t.newQuestions(asked.length));
    const calm = [...sentences(ends), ...notes.filter((n) => !n.urgent).map((n) => n.text)];
    this.#waiting.push(...new Set(calm));
    if (urgent.length) this.#interrupt([...new Set(urgent)]);
    this.#rest();
  }

  #interrupt(texts: string[]): void {
    const at = Date.now();
    const lost = this.calm.filter((s) => (this.#calmUntil.get(s.id) ?? 0) > at);
    for (const { id } of lost) this.#calmUntil.delete(id);
    this.#waiting.unshift(...lost.map((s) => s.text));
    for (const text of texts) {
      this.#urgentUntil = Math.max(this.#urgentUntil, at) + readingMs(text);
      this.#stand('urgent', text);
    }
  }

  /** Says what is calm once what is urgent was read. */
  #rest(): void {
    if (this.#resting) return;
    const ms = this.#urgentUntil - Date.now();
    if (ms > 0) {
      this.#resting = true;
      this.#later(() => {
        this.#resting = false;
        this.#rest();
      }, ms);
      return;
    }
    let until = Math.max(Date.now(), ...this.#calmUntil.values());
    for (const text of this.#waiting.splice(0)) {
      until += readingMs(text);
      this.#calmUntil.set(this.#stand('calm', text), until);
    }
  }

  #stand(where: 'urgent' | 'calm', text: string): number {
    const id = this.#next++;
    this[where] = [...this[where], { id, text }];
    this.#later(
      () => {
        this[where] = this[where].filter((s) => s.id !== id);
        this.#calmUntil.delete(id);
      },
      STANDS_MS + readingMs(text),
    );
    return id;
  }
}

/** How jobs ended, in as few sentences as there are ways to end. */
function sentences(ends: readonly { to: End; title: string }[]): string[] {
  const one = { succeeded: t.jobSucceeded, failed: t.jobFailed, canceled: t.jobCanceled };
  const many = { succeeded: t.jobsSucceeded, failed: t.jobsFailed, canceled: t.jobsCanceled };
  return ended.flatMap((to) => {
    const these = ends.filter((x) => x.to === to);
    if (these.length > 1) return [many[to](these.length)];
    return these.map((x) => (ends.length === 1 ? one[to](x.title) : many[to](1)));
  });
}
