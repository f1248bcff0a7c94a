import { describe, expect, it } from 'vitest';

import { counted, joined, preselected, promptsFor, slashOffers } from './offers';

const prompt = (prompt: string, name: string, about = '', server = 'desk') => ({
  prompt,
  name,
  about,
  server,
});

describe('the prompts that may be meant', () => {
  const list = [
    prompt('my_review', '내 검토'),
    prompt('review', '코드 검토', '고칠 곳을 알려줘요'),
    prompt('week', '주간 정리', '', 'diary'),
  ];
  const names = (typed: string) => promptsFor(list, typed).map((p) => p.prompt);

  it('are those that are called so, by either name, before those that are said to be of it', () => {
    expect(names('rev')).toEqual(['review', 'my_review']);
    expect(names('코드')).toEqual(['review']);
    expect(names('검토')).toEqual(['my_review', 'review']);
    expect(names('고칠')).toEqual(['review']);
    expect(names('DIARY')).toEqual(['week']);
    expect(names('주가')).toEqual(['week']);
    expect(names('없음')).toEqual([]);
    expect(names(' ')).toHaveLength(3);
  });

  it('stand behind the favourites', () => {
    const favourite = { id: 'f1', name: '검토', text: '검토해 줘', blanks: [] };
    const offers = slashOffers([favourite], list, '검토');
    expect(offers.map((o) => o.kind)).toEqual(['favourite', 'prompt', 'prompt']);
    expect(counted(offers)).toEqual([1, 2, 0]);
  });

  it('are taken by Enter where they are called so, and never for words that mean something of one’s own', () => {
    const favourite = { id: 'f1', name: '검토', text: '검토해 줘', blanks: [] } as never;
    const helping = [...list, prompt('help', '도움말')];
    const at = (typed: string, favourites: never[] = [], was = 0) =>
      preselected(slashOffers(favourites, helping, typed), typed, was);
    expect(at('')).toBe(0);
    expect(at('rev')).toBe(0);
    expect(at('검토', [], 1)).toBe(1);
    expect(at('고칠')).toBe(-1);
    expect(at('help')).toBe(-1);
    expect(at('hel')).toBe(0);
    expect(at('도움말')).toBe(-1);
    expect(at('검토', [favourite], 1)).toBe(0);
  });

  it('do not go while one chooses, and none stands twice', () => {
    const [a, b, c] = list as [(typeof list)[0], (typeof list)[0], (typeof list)[0]];
    expect(joined([a, b], [b, c])).toEqual([a, b, c]);
    const alike = [prompt('b c', 'x', '', 'a'), prompt('c', 'y', '', 'a b')];
    expect(new Set(slashOffers([], alike, '').map((o) => o.key)).size).toBe(2);
  });
});
