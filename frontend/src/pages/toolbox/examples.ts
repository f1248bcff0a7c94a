import type { Lang } from '$lib/i18n/index.svelte';

/** At most so many requests are shown at first; a tool may know many more. */
const FIRST_EXAMPLES = 6;

const korean = /[ㄱ-ㅎㅏ-ㅣ가-힣]/;

const own = (lang: Lang) => (text: string) => korean.test(text) === (lang === 'ko');

/** Requests that exercise a tool, those in the language of the window first, each once. */
export function inOrder(examples: readonly { text: string }[], lang: Lang): string[] {
  const texts = [...new Set(examples.map((e) => e.text))];
  const mine = own(lang);
  return [...texts.filter(mine), ...texts.filter((text) => !mine(text))];
}

/** How many of them are shown at first: some of those in the language of the window, if there are any. */
export const atFirst = (texts: readonly string[], lang: Lang): number =>
  Math.min(FIRST_EXAMPLES, texts.filter(own(lang)).length || texts.length);
