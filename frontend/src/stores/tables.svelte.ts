import { api } from '$lib/api';
import type { TableAnswer } from '$lib/api/types';

/** So many answers are kept at hand; the oldest go first. */
const KEPT = 50;

/** What was answered about tables, by ticket. An answer does not change once it is there. */
export class Tables {
  readonly #answers = new Map<string, Promise<TableAnswer[]>>();

  /** The answers that a ticket brought. They are asked for once; a failure is forgotten, so that one can ask again. */
  of(job: string): Promise<TableAnswer[]> {
    let answers = this.#answers.get(job);
    if (!answers) {
      answers = api.tableAnswers(job);
      answers.catch(() => this.#answers.delete(job));
      this.#answers.set(job, answers);
      for (const old of this.#answers.keys()) {
        if (this.#answers.size <= KEPT) break;
        this.#answers.delete(old);
      }
    }
    return answers;
  }

  /** Saves the picture of a chart where the system's dialog says; an SVG's text, or a PNG in base64. Gives where, "" for nowhere. */
  save(title: string, name: string, content: string): Promise<string> {
    return api.saveChart('', title, name, content);
  }
}
