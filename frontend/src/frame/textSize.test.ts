import { describe, expect, it } from 'vitest';

import { nextSize } from './textSize';

describe('the size of letters', () => {
  it('goes up and down between 80 and 200 percent, and back to what it was', () => {
    expect(nextSize(100, 1)).toBe(110);
    expect(nextSize(100, -1)).toBe(90);
    expect(nextSize(200, 1)).toBe(200);
    expect(nextSize(80, -1)).toBe(80);
    expect(nextSize(175, 0)).toBe(100);
    expect(nextSize(133, 1)).toBe(150); // one that was typed on the settings page
    expect(nextSize(133, -1)).toBe(125);
  });
});
