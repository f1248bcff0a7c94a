const MOST = 8;
const fold = (text: string) => text.normalize('NFD').toLowerCase();

export const same = (a: string, b: string): boolean => fold(a) === fold(b);
export const holds = (name: string, sought: string): boolean => fold(name).includes(fold(sought));

/** What may be meant of a list: what is called so from its beginning, then what has it in a name, then what has it in other words. */
export function ranked<T>(
  list: readonly T[],
  sought: string,
  names: (one: T) => readonly string[],
  words: (one: T) => string,
): T[] {
  const wanted = fold(sought);
  const rank = (one: T) => {
    const called = names(one).map(fold);
    if (called.some((name) => name.startsWith(wanted))) return 0;
    if (called.some((name) => name.includes(wanted))) return 1;
    return fold(words(one)).includes(wanted) ? 2 : 3;
  };
  return list
    .map((one) => ({ one, rank: rank(one) }))
    .filter((x) => x.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map((x) => x.one);
}
