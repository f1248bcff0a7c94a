// Turns what a model wrote into markup that cannot do anything. Two walls: the renderer writes every tag itself and
// shows raw HTML as text, and DOMPurify lets nothing else through. The page itself fetches no picture.
import DOMPurify from 'dompurify';
import { Marked, type TokenizerAndRendererExtension, type Tokens } from 'marked';

import { safeAddress } from '../address';
import { Later } from './later.svelte';

const formulas = new Later(() => import('./formula'));
const colours = new Later(() => import('./highlight'));

/** Resolves when everything is here that a text may need. */
export const whole = () => Promise.all([formulas.ready(), colours.ready()]);

// Whether something was shown plain because its part is still on its way; then it is not kept.
let unfinished = false;

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string) => text.replace(/[&<>"']/g, (c) => escapes[c] ?? c);

function formula(source: string, display: boolean): string {
  const part = formulas.get();
  // What is drawn is many small pieces; who listens hears the formula as it was written.
  if (part)
    return `<span role="math" aria-label="${escape(source)}">${part.formula(source, display)}</span>`;
  unfinished = true;
  return `<code>${escape(source)}</code>`;
}

/** Code with its colours, or without while they are on their way; undefined when nobody knows its language. */
function highlight(text: string, name: string): string | undefined {
  if (!name) return undefined;
  const part = colours.get();
  if (part) return part.highlight(text, name);
  unfinished = true;
  return escape(text);
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

/** A text of more lines is folded. */
const FOLD_LINES = 24;

/** A picture in the address itself, of a kind that holds nothing but a picture. */
const carried = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

/** The pictures of a link that lie elsewhere, however deep they stand in it. */
const pictures = (tokens: Tokens.Generic[] = []): Tokens.Image[] =>
  tokens.flatMap((token) =>
    token.type === 'image'
      ? carried.test((token as Tokens.Image).href)
        ? []
        : [token as Tokens.Image]
      : pictures(token.tokens),
  );

/** What a link says, its pictures by their names. */
const inWords = (tokens: Tokens.Generic[] = []): string =>
  tokens
    .map((token) =>
      token.tokens
        ? inWords(token.tokens)
        : escape((token as Tokens.Generic & { text?: string }).text ?? ''),
    )
    .join('');

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [inlineMath, blockMath],
  renderer: {
    html: ({ text }) => escape(text),
    // A picture that is in the text is shown. One that lies elsewhere is not: a person may follow its address, or ask for it (pictures.ts).
    image({ text, href }) {
      if (carried.test(href)) return `<img src="${href}" alt="${escape(text)}">`;
      const address = safeAddress(href);
      const name = escape(text || href);
      return address
        ? `<span class="picture"><a href="${escape(address)}" title="${escape(address)}">${name}</a><button type="button" class="picture-show"></button></span>`
        : name;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    link({ href, tokens }) {
      const address = safeAddress(href);
      const linked = (text: string) =>
        address && text.trim()
          ? `<a href="${escape(address)}" title="${escape(address)}">${text}</a>`
          : text;
      // The place of a picture has a link of its own, so it stands behind the link that it was written in.
      const behind = pictures(tokens);
      if (!behind.length) return linked(this.parser.parseInline(tokens));
      const words = linked(inWords(tokens).trim() || escape(address ?? ''));
      return [words, ...behind.map((picture) => this.image(picture))].join(' ');
    },
    code({ text, lang, raw }) {
      const name = lang?.trim().split(/\s/)[0] ?? '';
      const coloured = highlight(text, name);
      const known = coloured !== undefined;
      const body = coloured ?? escape(text);
      // Prose has long lines, and a long text is shown in part until one asks for all of it.
      const long = text.split('\n').length > FOLD_LINES || text.length > FOLD_LINES * 80;
      // It is drawn when it is whole, by whoever shows it; until then, and when it cannot be, one reads it.
      const whole = name === 'mermaid' && /(`{3,}|~{3,})\s*$/.test(raw.slice(3));
      const kind = `code${known || whole ? '' : ' prose'}${long ? ' folded' : ''}${whole ? ' diagram' : ''}`;
      const more = long ? '<button type="button" class="code-more"></button>' : '';
      // The buttons have no handlers of their own: clicks are handled where the text is shown.
      return `<div class="${kind}" dir="${known ? 'ltr' : 'auto'}"><div class="code-head" dir="ltr"><span>${escape(name)}</span><button type="button" class="code-copy"></button></div>${whole ? '<div class="drawing"></div>' : ''}<pre tabindex="0"><code>${body}\n</code></pre>${more}</div>`;
    },
    list({ ordered, start, items }) {
      const body = items.map((item) => this.listitem(item)).join('');
      if (!ordered) return `<ul>${body}</ul>`;
      const first = start === '' ? 1 : start;
      // The numbers stand before the text, in as much room as the longest of them takes.
      const digits = String(first + items.length - 1).length;
      return `<ol start="${first}" style="--digits:${digits}">${body}</ol>`;
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

// What only says how something looks or is used; it leads nowhere.
const plain =
  'title class style dir type tabindex start width height viewBox preserveAspectRatio d x1 x2 y1 y2 stroke-width xmlns role aria-label aria-hidden'.split(
    ' ',
  );

const allowed = {
  ALLOWED_TAGS:
    'a img b strong i em del s code pre p br hr ul ol li blockquote h1 h2 h3 h4 h5 h6 table thead tbody tr th td div span button svg path line'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'src', 'alt', ...plain],
  // Every other attribute would be judged as if it were an address, and go.
  ADD_URI_SAFE_ATTR: [...plain, 'alt'],
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^https?:/i,
};

// Formulas need lengths and colours in style, and nothing else does: no place on the screen, no address.
const drawn =
  /^(?:(?:height|width|min-width|(?:margin|padding)(?:-(?:left|right|top|bottom))?|top|bottom|left|vertical-align|color|background-color|border(?:-[a-z-]+)?|font-size):[^:;()\\]*(?:;|$)|position:relative(?:;|$))*$/;

const numbered = /^--digits:\d{1,2}$/;

// One of our own: Mermaid cleans its drawings with the common one, and their colours stand in style.
const purify = DOMPurify(window);
purify.addHook('uponSanitizeAttribute', (node, data) => {
  if (data.attrName === 'src')
    data.keepAttr = node.localName === 'img' && carried.test(data.attrValue);
  if (data.attrName !== 'style') return;
  data.keepAttr = node.closest('.katex')
    ? drawn.test(data.attrValue.replaceAll(' ', ''))
    : node.localName === 'ol' && numbered.test(data.attrValue);
});

const kept = new Map<string, string>();
const KEPT = 800;

function renderBlock(token: Tokens.Generic, links: unknown): string {
  const known = kept.get(token.raw);
  if (known !== undefined) return known;
  const tokens = Object.assign([token], { links }) as Parameters<typeof marked.parser>[0];
  unfinished = false;
  const html = purify.sanitize(marked.parser(tokens), allowed);
  if (unfinished) return html;
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '');
  kept.set(token.raw, html);
  return html;
}

/** The blocks of a text as safe markup. Blocks that did not change come out the same, so a growing text redraws its last one. */
export function renderBlocks(text: string): string[] {
  const tokens = marked.lexer(text);
  return tokens.filter((t) => t.type !== 'space').map((t) => renderBlock(t, tokens.links));
}
