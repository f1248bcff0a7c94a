import type { Envelope } from '$lib/events';

import { frameText as t } from './messages';

/** How long what happens is gathered before it is said: a screen reader drops a sentence that another one replaces. */
export const GATHER_MS = 300;

const ended = ['succeeded', 'failed', 'canceled'] as const;
type End = (typeof ended)[number];

const isEnd = (state: string): state is End => (ended as readonly string[]).includes(state);

/** What people who listen are told: new questions and ended jobs, many at once as one sentence. */
export class Announcements {
  questions = $state('');
  ends = $state('');

  #title: (jobId: string) => string | undefined;
  #asked: string[] = [];
  #ended: { to: End; title: string }[] = [];
  #gathering = false;

  constructor(title: (jobId: string) => string | undefined) {
    this.#title = title;
  }

  hear(e: Envelope): void {
    if (e.kind === 'ask.opened') {
      this.#asked.push(t.newQuestion(e.data.jobTitle ?? '', e.data.question));
    } else if (e.kind === 'job.state' && isEnd(e.data.to)) {
      const title = this.#title(e.data.id);
      if (!title) return;
      this.#ended.push({ to: e.data.to, title });
    } else {
      return;
    }
    if (this.#gathering) return;
    this.#gathering = true;
    setTimeout(() => this.#say(), GATHER_MS);
  }

  #say(): void {
    this.#gathering = false;
    const [asked, ends] = [this.#asked, this.#ended];
    this.#asked = [];
    this.#ended = [];
    const question = asked[0];
    if (question) this.questions = asked.length === 1 ? question : t.newQuestions(asked.length);
    const end = ends[0];
    if (!end) return;
    const one = { succeeded: t.jobSucceeded, failed: t.jobFailed, canceled: t.jobCanceled };
    const many = { succeeded: t.jobsSucceeded, failed: t.jobsFailed, canceled: t.jobsCanceled };
    const sentences = ended
      .map((to) => ({ to, n: ends.filter((x) => x.to === to).length }))
      .filter(({ n }) => n > 0)
      .map(({ to, n }) => many[to](n));
    this.ends = ends.length === 1 ? one[end.to](end.title) : sentences.join(' ');
  }
}
