import { expect, it } from 'vitest';

import { cite } from './cite';
import { renderBlocks } from './render';

function shown(text: string, sources: number) {
  const node = document.createElement('div');
  node.innerHTML = renderBlocks(text).join('');
  const opened: number[] = [];
  const titles = Array.from({ length: sources }, (_, i) => `<b>문서 ${i + 1}</b>`);
  cite(node, titles, (i) => opened.push(i));
  cite(node, titles, (i) => opened.push(i)); // a text that grows is looked at again and again
  return { node, opened, buttons: [...node.querySelectorAll<HTMLElement>('button.cite')] };
}

it('makes buttons of citations', () => {
  const { node, opened, buttons } = shown(
    '월급은 **300만원**이에요 [1]. 기간은 1년이에요 [2, 1].',
    2,
  );
  expect(buttons.map((b) => b.textContent)).toEqual(['1', '2', '1']);
  expect(node.textContent).toBe('월급은 300만원이에요\u20091. 기간은 1년이에요\u200921.\n');
  expect(buttons[0]?.title).toBe('<b>문서 1</b>');
  buttons[1]?.click();
  expect(opened).toEqual([1]);
});

it('leaves other brackets alone', () => {
  for (const text of [
    '배열은 `a[1]`이에요.',
    '[3]은 없어요',
    '[1](https://example.com)',
    '[x] [] [0]',
  ]) {
    expect(shown(text, 2).buttons).toEqual([]);
  }
  expect(shown('근거가 없어요 [1]', 0).buttons).toEqual([]);
});
