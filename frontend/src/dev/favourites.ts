// Pretend favourites: one that is said as it is, one with a blank, one with two.
import type { Argument, Favourite, FavouritesView } from '../lib/api/types';
import { blanksIn } from '../lib/blanks';

import type { Stage } from './stage';

const made = (ko: boolean): Favourite[] => [
  favourite(
    'f1',
    ko ? '아침날씨' : 'morning',
    ko ? '서울 날씨 알려줘' : "What's the weather in Seoul?",
  ),
  favourite(
    'f2',
    ko ? '날씨' : 'weather',
    ko ? '{곳} 날씨 알려줘' : "What's the weather in {place}?",
    { [ko ? '곳' : 'place']: ko ? '서울' : 'Seoul' },
  ),
  favourite(
    'f3',
    ko ? '보내기' : 'send',
    ko ? '{받는 분}한테 {금액} 보내줘' : 'Send {amount} to {recipient}',
  ),
];

function favourite(
  id: string,
  name: string,
  text: string,
  was: Record<string, string> = {},
): Favourite {
  const blanks = blanksIn(text).map((b) => ({ name: b.name, asks: '', was: was[b.name] ?? '' }));
  return { id, name, text, blanks, ...(blanks.length ? {} : { plain: text }) };
}

export class Favourites {
  #view: FavouritesView | undefined;

  constructor(
    private stage: Stage,
    private lang: () => string,
  ) {}

  view(): FavouritesView {
    return structuredClone(this.#all());
  }

  #all(): FavouritesView {
    // An empty shop has said nothing yet.
    const some = [...this.stage.chats.values()].some((c) => c.messages.length);
    return (this.#view ??= {
      favourites: some ? made(this.lang() === 'ko') : [],
      trash: [],
      trashDays: 30,
    });
  }

  keep(id: string, name: string, text: string, was: Record<string, string>): Favourite {
    const { favourites } = this.#all();
    if (favourites.some((f) => f.name === name && f.id !== id))
      throw { code: 'favourite_taken', message: `같은 이름의 단골이 이미 있어요: ${name}.` };
    const one = favourite(id || this.stage.id('f'), name, text, was);
    const at = favourites.findIndex((f) => f.id === id);
    favourites.splice(at < 0 ? favourites.length : at, at < 0 ? 0 : 1, one);
    this.#changed(one.id);
    return one;
  }

  move(id: string, away: boolean): void {
    const view = this.#all();
    const [from, to] = away ? [view.favourites, view.trash] : [view.trash, view.favourites];
    const at = from.findIndex((f) => f.id === id);
    const deleted = away ? new Date().toISOString() : '';
    to.push(...from.splice(at, 1).map((f) => ({ ...f, deleted })));
    this.#changed(id);
  }

  /** What a favourite says, as somebody wrote it or as it is. */
  words(id: string, words: string): string {
    return words || (this.#all().favourites.find((f) => f.id === id)?.text ?? '');
  }

  arguments(text: string): Argument[] {
    return ['서울', '부산', 'Seoul', 'Busan']
      .filter((place) => text.includes(place))
      .map((place) => {
        const start = text.indexOf(place);
        const name = this.lang() === 'ko' ? '곳' : 'place';
        return { name, text: place, start, end: start + place.length };
      });
  }

  #changed(id: string) {
    this.stage.emit('favourites.changed', { id });
  }
}
