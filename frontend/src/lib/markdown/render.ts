// Turns what a model wrote into markup that cannot do anything. Two walls: the renderer writes every tag itself and
// shows raw HTML as text, and DOMPurify lets nothing else through. Pictures are never fetched.
import DOMPurify from 'dompurify';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import katex from 'katex';
import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';

const languages = { bash, css, go, javascript, json, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string) => text.replace(/[&<>"']/g, (c) => escapes[c] ?? c);

/** Only what a browser may open: http or https, with no name before an @ that could be taken for the place it leads to. */
export function safeAddress(address: string): string | undefined {
  try {
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
    return url.username || url.password ? undefined : url.href;
  } catch {
    return undefined;
  }
}

function formula(source: string, display: boolean): string {
  return katex.renderToString(source, {
    displayMode: display,
    throwOnError: false,
    trust: false,
    strict: false,
    maxExpand: 200,
    maxSize: 20,
    output: 'html',
  });
}

const inlineMath: TokenizerAndRendererExtension = {
  name: 'inlineMath',
  level: 'inline',
  start: (src) => src.match(/\$|\\\(/)?.index,
  tokenizer(src) {
    // A price is not a formula: no space inside the dollars, no digit behind them.
    const found =
      /^\$(?!\s)([^$\n]{1,400}?)(?<![\s\\])\$(?!\d)/.exec(src) ?? /^\\\((.{1,400}?)\\\)/.exec(src);
    return found ? { type: 'inlineMath', raw: found[0], text: found[1] ?? '' } : undefined;
  },
  renderer: (token) => formula((token as Tokens.Generic & { text: string }).text, false),
};

const blockMath: TokenizerAndRendererExtension = {
  name: 'blockMath',
  level: 'block',
  start: (src) => src.match(/\$\$|\\\[/)?.index,
  tokenizer(src) {
    const found =
      /^\$\$([\s\S]{1,4000}?)\$\$(?:\n|$)/.exec(src) ??
      /^\\\[([\s\S]{1,4000}?)\\\](?:\n|$)/.exec(src);
    return found ? { type: 'blockMath', raw: found[0], text: found[1]?.trim() ?? '' } : undefined;
  },
  renderer: (token) => formula((token as Tokens.Generic & { text: string }).text, true),
};

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [inlineMath, blockMath],
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ text, href }) => escape(text || href),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = safeAddress(href);
      return address ? `<a href="${escape(address)}" title="${escape(address)}">${text}</a>` : text;
    },
    code({ text, lang }) {
      const name = lang?.trim().split(/\s/)[0] ?? '';
      const body = hljs.getLanguage(name)
        ? hljs.highlight(text, { language: name }).value
        : escape(text);
      // The button has no handler of its own: clicks are handled where the text is shown.
      return `<div class="code"><div class="code-head"><span>${escape(name)}</span><button type="button" class="code-copy"></button></div><pre tabindex="0"><code>${body}\n</code></pre></div>`;
    },
    table({ header, rows }) {
      const cell = (tag: 'th' | 'td') => (c: Tokens.TableCell) =>
        `<${tag}${c.align ? ` class="${c.align}"` : ''}>${this.parser.parseInline(c.tokens)}</${tag}>`;
      const head = header.map(cell('th')).join('');
      const body = rows.map((r) => `<tr>${r.map(cell('td')).join('')}</tr>`).join('');
      return `<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
    },
  },
});

const allowed = {
  ALLOWED_TAGS:
    'a b strong i em del s code pre p br hr ul ol li blockquote h1 h2 h3 h4 h5 h6 table thead tbody tr th td div span button svg path line'.split(
      ' ',
    ),
  ALLOWED_ATTR:
    'href title class style type tabindex start width height viewBox preserveAspectRatio d x1 x2 y1 y2 stroke-width xmlns'.split(
      ' ',
    ),
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^https?:/i,
};

// Formulas need lengths and colours in style, and nothing else does: no place on the screen, no address.
const drawn =
  /^(?:(?:height|width|min-width|(?:margin|padding)(?:-(?:left|right|top|bottom))?|top|bottom|left|vertical-align|color|background-color|border(?:-[a-z-]+)?|font-size):[^:;()\\]*(?:;|$)|position:relative(?:;|$))*$/;

DOMPurify.addHook('uponSanitizeAttribute', (node, data) => {
  if (data.attrName !== 'style') return;
  data.keepAttr = !!node.closest('.katex') && drawn.test(data.attrValue.replaceAll(' ', ''));
});

const kept = new Map<string, string>();
const KEPT = 800;

function renderBlock(token: Tokens.Generic, links: unknown): string {
  const known = kept.get(token.raw);
  if (known !== undefined) return known;
  const tokens = Object.assign([token], { links }) as Parameters<typeof marked.parser>[0];
  const html = DOMPurify.sanitize(marked.parser(tokens), allowed);
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '');
  kept.set(token.raw, html);
  return html;
}

/** The blocks of a text as safe markup. Blocks that did not change come out the same, so a growing text redraws its last one. */
export function renderBlocks(text: string): string[] {
  const tokens = marked.lexer(text);
  return tokens.filter((t) => t.type !== 'space').map((t) => renderBlock(t, tokens.links));
}
