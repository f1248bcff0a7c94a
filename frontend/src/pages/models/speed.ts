import type { LetterRow } from '$lib/api/types';
import { sameModel } from '$stores/models.svelte';

/** What a core reads of a model in a second, in bytes, and how much of it all of them together: about what memory gives. */
const READS = 5e9;
const READ_BY_ALL = 25e9;

/** Tokens a second below which one waits for an answer rather than reads it. */
const READABLE = 5;
/** The tokens of a long answer. */
export const LONG = 400;
/** An answer shorter than this, in tokens and ms, says nothing about speed. */
const LEAST = { tokens: 8, ms: 50 };

/** How quick a model writes, in tokens a second, and whether that was seen or is only to be expected. */
export interface Speed {
  rate: number;
  measured: boolean;
  slow: boolean;
}

const speed = (rate: number, measured: boolean): Speed => ({
  rate,
  measured,
  slow: rate < READABLE,
});

/** How quick a model was in the answers it really wrote here; undefined when there is none. */
export function measured(letters: readonly LetterRow[], model: string): Speed | undefined {
  let [tokens, ms] = [0, 0];
  for (const row of letters) {
    const writing = row.ms - (row.firstTokenMs ?? 0);
    const said = row.tokensOut ?? 0;
    if (!row.model || !sameModel(row.model, model) || row.recalled || row.error) continue;
    if (said < LEAST.tokens || writing < LEAST.ms) continue;
    tokens += said;
    ms += writing;
  }
  return ms ? speed((1000 * tokens) / ms, true) : undefined;
}

/** How quick a model will be without a graphics card: every token of an answer reads all of it. */
export const expected = (bytes: number, cores: number): Speed | undefined =>
  bytes > 0 ? speed(Math.min(cores * READS, READ_BY_ALL) / bytes, false) : undefined;

/** What is known of a model's speed: what was seen, else, on this computer, what is to be expected. */
export const speedOf = (
  model: { name: string; bytes: number; embedding: boolean },
  letters: readonly LetterRow[],
  here: boolean,
  cores = navigator.hardwareConcurrency || 1,
): Speed | undefined =>
  model.embedding
    ? undefined
    : (measured(letters, model.name) ?? (here ? expected(model.bytes, cores) : undefined));
