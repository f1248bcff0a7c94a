import { getContext, setContext } from 'svelte';

import type { Ask } from '$stores/asks.svelte';

import { askText as t } from './messages';

/** How a question is drawn: whole, or short, with what is decided and the buttons and only the beginning of the rest. */
export interface Form {
  readonly short: boolean;
  /** The question in the head is longer than what the head shows of it. */
  readonly clipped: boolean;
  unfold(): void;
}

const key = Symbol('form of a question');
const whole: Form = { short: false, clipped: false, unfold: () => undefined };

/** Says to all that stands in a card how it is drawn. */
export const giveForm = (form: Form): Form => setContext(key, form);

/** How the card that this stands in is drawn. */
export const form = (): Form => getContext<Form | undefined>(key) ?? whole;

/** Whether a question may be drawn short. What a stranger wrote, and what would go to a stranger, is seen before it is sent. */
export const mayBeShort = ({ data }: Ask): boolean => data.kind !== 'outside' && !data.form?.prompt;

/** What is asked, in one sentence. Of an outside server its own words are not that sentence. */
export function asks({ data }: Ask): string {
  if (data.kind !== 'outside' && !data.form?.prompt) return data.question;
  const server = data.form?.server ?? '';
  return data.form?.prompt ? t.samplingAsks(server) : t.outsideAsks(server);
}

/** A value of more letters, or of several lines, is read in the whole card. */
const LONG = 80;
/** So many letters of names and values stand beside the buttons at most. */
const ROOM = 240;
/** And so many values, however short they are. */
const ROWS = 8;

/** Parts the values into those that stand beside the buttons and those that need more room, each in its order. */
export function parted<R extends { name: string; text: string }>(
  rows: readonly R[],
): { near: R[]; far: R[] } {
  let [letters, places] = [ROOM, ROWS];
  const near = new Set(
    rows.filter(({ name, text }) => {
      const long = name.length + text.length;
      const fits = places > 0 && long <= Math.min(LONG, letters) && !/[\r\n]/.test(name + text);
      if (fits) [letters, places] = [letters - long, places - 1];
      return fits;
    }),
  );
  return { near: rows.filter((r) => near.has(r)), far: rows.filter((r) => !near.has(r)) };
}
