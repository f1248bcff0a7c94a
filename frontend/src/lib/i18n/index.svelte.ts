// Typed messages in Korean and English, switchable while the window is open. Each page keeps its own messages beside it:
//
//   const t = messages({ ko: { hello: '안녕하세요', left: (n: number) => `${n}개 남음` }, en: { … } });
//   t.hello   t.left(3)
//
// Reading a message reads the language, so whatever shows it follows a switch by itself.

export type Lang = 'ko' | 'en';

type Message = string | ((...args: never[]) => string);
type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };

class Language {
  current = $state<Lang>('ko');
}

/** The language of the window. `settings` keeps it; everything else only reads. */
export const language = new Language();

/** Binds a set of messages to the language of the window. English must have every message Korean has. */
export function messages<T extends Record<string, Message>>(sets: {
  ko: T;
  en: Shape<T>;
}): Shape<T> {
  const bound = {} as Record<keyof T, unknown>;
  for (const key of Object.keys(sets.ko) as (keyof T)[]) {
    Object.defineProperty(bound, key, {
      enumerable: true,
      get: () => (language.current === 'ko' ? sets.ko : sets.en)[key],
    });
  }
  return bound as Shape<T>;
}

/** Picks the sentence in the window's language out of a pair that came from the shop. */
export function say(text: { ko: string; en: string } | undefined | null): string {
  if (!text) return '';
  return (language.current === 'ko' ? text.ko : text.en) || text.en || text.ko;
}
