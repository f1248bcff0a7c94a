import katex from 'katex';
import { describe, expect, it } from 'vitest';

import { renderBlocks, safeAddress } from './render';

const html = (text: string) => renderBlocks(text).join('');

describe('what a model writes', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<div style="position:fixed;inset:0">x</div>',
    '<iframe src="https://example.com"></iframe>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '![x](https://example.com/track.png)',
    '<svg onload=alert(1)>',
    '$\\href{javascript:alert(1)}{x}$',
  ])('cannot do anything: %s', (text) => {
    const box = document.createElement('div');
    box.innerHTML = html(text);
    expect(
      box.querySelector('script, img, iframe, a[href^="javascript"], a[href^="data"]'),
    ).toBeNull();
    for (const node of box.querySelectorAll('*')) {
      for (const name of node.getAttributeNames()) expect(name.startsWith('on')).toBe(false);
      if (!node.closest('.katex')) expect(node.hasAttribute('style')).toBe(false);
    }
  });

  it('has tables, code and formulas', () => {
    expect(html('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td class="right">2</td>');
    expect(html('```python\nprint(1)\n```')).toContain('hljs-built_in');
    expect(html('$\\frac{1}{2}$')).toContain('katex');
  });

  it('keeps what formulas are drawn with', () => {
    const box = document.createElement('div');
    box.innerHTML = html(
      '$$\\frac{\\sqrt{x^2}}{\\color{red}y_1}\\rule{1em}{2pt}\\not=\\begin{pmatrix}1\\\\2\\end{pmatrix}$$',
    );
    const plain = katex.renderToString(
      '\\frac{\\sqrt{x^2}}{\\color{red}y_1}\\rule{1em}{2pt}\\not=\\begin{pmatrix}1\\\\2\\end{pmatrix}',
      { displayMode: true, output: 'html' },
    );
    const styled = (of: ParentNode) => of.querySelectorAll('[style]').length;
    const whole = document.createElement('div');
    whole.innerHTML = plain;
    expect(styled(box)).toBe(styled(whole));
    expect(styled(box)).toBeGreaterThan(10);
  });

  it('takes prices for prices', () => {
    expect(html('It costs $5 or $10.')).not.toContain('katex');
  });

  it('draws only the last block anew while it grows', () => {
    const before = renderBlocks('First.\n\nSec');
    const after = renderBlocks('First.\n\nSecond **one**');
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toContain('<strong>one</strong>');
  });
});

it('opens web addresses only', () => {
  expect(safeAddress('https://example.com/a?b=1')).toBe('https://example.com/a?b=1');
  for (const bad of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'wails://x',
    'not an address',
    'https://bank.example@evil.test/',
  ]) {
    expect(safeAddress(bad)).toBeUndefined();
  }
});
