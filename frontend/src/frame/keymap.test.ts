import { describe, expect, it } from 'vitest';

import { keymapOf, pressed, refusal, usual, written } from './keymap';

describe('shortcuts', () => {
  it('are as they were where nothing, or nothing sensible, is set', () => {
    for (const text of ['', 'search', 'search=', 'search=pp', 'search=c', 'x=p', 'search=N', '= ='])
      expect(keymapOf(text)).toEqual(usual);
  });

  it('are changed one by one, also by changing places', () => {
    const map = keymapOf('search=p side=k');
    expect(map).toEqual({ ...usual, search: 'p', side: 'k' });
    expect(written(map)).toBe('search=p side=k');
    expect(written(usual)).toBe('');
  });

  it('never give one key to two', () => {
    expect(keymapOf('search=n')).toEqual(usual);
    expect(refusal(usual, 'search', 'n')).toBe('new');
    expect(refusal(usual, 'search', 'k')).toBeUndefined();
  });

  it('leave the keys of boxes and of the system alone', () => {
    for (const key of ['c', 'v', 'z', 'w', '0', '+', 'Enter', '한'])
      expect(refusal(usual, 'search', key)).toBe('others');
  });

  it('know a key by its place where the layout has a syllable there', () => {
    expect(pressed({ key: 'ㅏ', code: 'KeyK' })).toContain('k');
    expect(pressed({ key: ',', code: 'Comma' })).toContain(',');
  });
});
