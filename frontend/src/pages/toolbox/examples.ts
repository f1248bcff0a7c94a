import type { Lang } from '$lib/i18n/index.svelte';

/** So many requests are shown at first; a tool may know many more. */
export const FIRST_EXAMPLES = 6;

const korean = /[ㄱ-ㅎㅏ-ㅣ가-힣]/;

/** Requests that exercise a tool, those in the language of the window first, each once. */
export function inOrder(examples: readonly { text: string }[], lang: Lang): string[] {
  const texts = [...new Set(examples.map((e) => e.text))];
  const own = (text: string) => korean.test(text) === (lang === 'ko');
  return [...texts.filter(own), ...texts.filter((text) => !own(text))];
}
