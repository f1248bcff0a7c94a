import katex from 'katex';
import { beforeAll, describe, expect, it } from 'vitest';

import { safeAddress } from '../address';
import { renderBlocks, whole } from './render';

beforeAll(whole);

const html = (text: string) => renderBlocks(text).join('');

/** Every attribute of everything inside. */
const attributes = (of: ParentNode) =>
  [...of.querySelectorAll('*')].map((node) => [
    node.localName,
    Object.fromEntries([...node.attributes].map((a) => [a.name, a.value])),
  ]);

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

  it.each([
    '\\frac{\\sqrt{x^2}}{\\color{red}y_1}\\rule{1em}{2pt}\\not=1',
    '\\begin{pmatrix}1\\\\2\\\\3\\\\4\\end{pmatrix}',
    '\\begin{cases}a\\\\b\\\\c\\\\d\\end{cases}',
    '\\begin{array}{|c|c|}\\hline a&b\\\\\\hdashline c&d\\end{array}',
    '\\vec{a}\\widehat{abc}\\utilde{a}\\overline{ab}',
    '\\overbrace{a+b}^{n}\\underbrace{c}_{m}',
    '\\xrightarrow[b]{a}\\xleftrightarrow{abc}',
    '\\cancel{x}\\xcancel{y}\\boxed{z}\\angl{n}\\phase{-78}',
  ])('keeps everything a formula is drawn with: %s', (formula) => {
    const drawn = document.createElement('div');
    drawn.innerHTML = html(`$$${formula}$$`);
    const said = drawn.querySelector('[role="math"]');
    expect(said?.getAttribute('aria-label')).toBe(formula);
    expect(said?.querySelector('.katex-html')?.getAttribute('aria-hidden')).toBe('true');
    drawn.innerHTML = said?.innerHTML ?? '';
    const whole = document.createElement('div');
    whole.innerHTML = katex.renderToString(formula, { displayMode: true, output: 'html' });
    expect(whole.querySelector('path, line, [style]')).not.toBeNull();
    expect(attributes(drawn)).toEqual(attributes(whole));
  });

  it('keeps the numbers of lists', () => {
    const box = document.createElement('div');
    box.innerHTML = html('98. a\n99. b\n100. c\n\ntext\n\n0. zero\n\ntext\n\n- [x] done');
    const [hundred, zero] = box.querySelectorAll('ol');
    expect(hundred?.start).toBe(98);
    expect(hundred?.style.getPropertyValue('--digits')).toBe('3');
    expect(zero?.start).toBe(0);
    expect(box.querySelector('ul')?.textContent?.trim()).toBe('☑ done');
  });

  it('folds what is long', () => {
    const file = (lines: number) => `\`\`\`txt\n${'줄\n'.repeat(lines)}\`\`\``;
    expect(html(file(3))).not.toContain('folded');
    expect(html(file(60))).toContain('class="code prose folded"');
    expect(html(file(60))).toContain('code-more');
  });

  it('lets code be reached by keyboard', () => {
    const box = document.createElement('div');
    box.innerHTML = html('```\nlong\n```');
    expect(box.querySelector('pre')?.tabIndex).toBe(0);
    expect(box.querySelector('button')?.getAttribute('type')).toBe('button');
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

describe('pictures and diagrams', () => {
  const show = (text: string) => {
    const node = document.createElement('div');
    node.innerHTML = renderBlocks(text).join('');
    return node;
  };

  it('shows what the text carries, offers what lies elsewhere, and fetches nothing', () => {
    const dot = 'data:image/png;base64,iVBORw0KGgo=';
    expect(show(`![a dot](${dot})`).querySelector('img')?.src).toBe(dot);
    const far = show('![the sea](https://example.org/sea.png)');
    expect(far.querySelector('img')).toBeNull();
    expect(far.querySelector('a')?.getAttribute('href')).toBe('https://example.org/sea.png');
    expect(far.querySelectorAll('.picture button')).toHaveLength(1);
    for (const bad of [
      'data:image/svg+xml;base64,PHN2Zz4=',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html;base64,PGI+',
    ]) {
      const node = show(`![x](${bad})`);
      expect(node.querySelector('img, a')).toBeNull();
    }
  });

  it('puts the place of a picture behind the link that it stands in', () => {
    const badge = show(
      '[![the build](https://x.example/b.svg)](https://y.example/a) [see **it ![b](https://x.example/c.svg)**](https://y.example/b)',
    );
    expect(badge.querySelector('a a, a .picture, a button')).toBeNull();
    expect([...badge.querySelectorAll('a')].map((a) => [a.textContent, a.href])).toEqual([
      ['the build', 'https://y.example/a'],
      ['the build', 'https://x.example/b.svg'],
      ['see it b', 'https://y.example/b'],
      ['b', 'https://x.example/c.svg'],
    ]);
    expect(badge.querySelectorAll('.picture button')).toHaveLength(2);
    const bare = show('[![](https://x.example/b.svg)](https://y.example)');
    expect(bare.querySelector('a')?.textContent).toBe('https://y.example/');
    const dot = 'data:image/png;base64,iVBORw0KGgo=';
    expect(show(`[![dot](${dot})](https://y.example)`).querySelector('a img')).not.toBeNull();
  });

  it('leaves a place for the drawing of a whole diagram, and none for half of one', () => {
    expect(
      show('```mermaid\ngraph TD; A-->B\n```').querySelector('.diagram .drawing'),
    ).not.toBeNull();
    expect(show('```mermaid\ngraph TD; A-->').querySelector('.diagram')).toBeNull();
  });
});
