import { describe, expect, it } from 'vitest';

import { mend } from './mend';
import { renderBlocks } from './render';

describe('a text that is still being written', () => {
  it.each([
    ['the sum is **twel', 'the sum is **twel**'],
    ['the sum is **', 'the sum is'],
    ['the sum is **twelve*', 'the sum is **twelve**'],
    ['run `npm ru', 'run `npm ru`'],
    ['run `', 'run'],
    ['the sum is *', 'the sum is'],
    ['**a** and **b', '**a** and **b**'],
    ['see [the map](https://exam', 'see the map'],
    ['Cities\n-', 'Cities'],
    ['Cities\n\n1.', 'Cities'],
    ['Cities\n#', 'Cities'],
    ['Cities\n\n| city | te', 'Cities'],
    ['Cities\n\n| city | temp |\n|---|-', 'Cities'],
    ['So\n\n$$x = \\frac{1', 'So'],
  ])('shows %j as %j', (text, shown) => {
    expect(mend(text)).toBe(shown);
  });

  it.each([
    'One.\n\nTwo with **bold** and `code`.',
    '| a | b |\n|---|---|\n| 1 | 2',
    '```js\nconst a = `x',
    '- one\n- two',
    'It costs $5.',
  ])('leaves %j alone', (text) => {
    expect(mend(text)).toBe(text);
  });

  it('never shows a mark that vanishes again, and only grows', () => {
    const whole =
      'First **bold words** here.\n\n- one `code`\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.';
    let longest = 0;
    for (let i = 1; i <= whole.length; i++) {
      const box = document.createElement('div');
      box.innerHTML = renderBlocks(mend(whole.slice(0, i))).join('');
      const seen = box.textContent ?? '';
      expect(seen).not.toMatch(/\*|`|\|/);
      expect(box.querySelector('h1, h2')).toBeNull();
      const length = seen.replace(/\s/g, '').length;
      expect(length).toBeGreaterThanOrEqual(longest);
      longest = length;
    }
  });
});
