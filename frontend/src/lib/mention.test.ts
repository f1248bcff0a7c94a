import { describe, expect, it } from 'vitest';

import { mentioned, resourcesFor } from './mention';

const resource = (name: string, server = 'notes', address = 'notes://x') => ({
  name,
  server,
  address,
});

describe('what is named behind an @', () => {
  it('stands at the start or behind a space, and ends at the caret', () => {
    expect(mentioned('@', 1)).toEqual({ start: 0, end: 1, sought: '' });
    expect(mentioned('이거 @출장 봐줘', 6)).toEqual({ start: 3, end: 6, sought: '출장' });
    expect(mentioned('@출ㅈ', 3)?.sought).toBe('출');
    expect(mentioned('kim@example.com', 15)).toBeUndefined();
    expect(mentioned('@출장 봐줘', 6)).toBeUndefined();
    expect(mentioned('출장', 2)).toBeUndefined();
  });
});

describe('the resources that may be meant', () => {
  it('are those whose names begin so before those that hold it, and those of a server', () => {
    const list = [
      resource('내 출장비'),
      resource('출장비'),
      resource('휴가', 'trips', 'a://출장'),
      resource('달력'),
    ];
    expect(resourcesFor(list, '출장').map((r) => r.name)).toEqual(['출장비', '내 출장비', '휴가']);
    const renamed = { ...resource('지도', 'osm', 'a://b'), title: '길찾기' };
    expect(resourcesFor([renamed], '길찾')).toEqual([renamed]);
    expect(resourcesFor([renamed], 'osm')).toEqual([]);
    expect(resourcesFor(list, '출자').map((r) => r.name)).toEqual(['출장비', '내 출장비', '휴가']);
    expect(resourcesFor(list, 'TRIPS').map((r) => r.name)).toEqual(['휴가']);
    expect(resourcesFor(list, '없음')).toEqual([]);
  });
});
