const citation = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;

/**
 * Makes a button of every citation in what is shown: of [2] and [1, 3], where there are that many sources. titles are the
 * sources', in order. Code, links and formulas stay as they are.
 */
export function cite(node: HTMLElement, titles: string[], open: (index: number) => void): void {
  if (!titles.length) return;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (!text.parentElement?.closest('code, pre, a, button, .katex')) texts.push(text);
  }
  for (const text of texts) {
    const parts: (string | Node)[] = [];
    let from = 0;
    for (const found of text.data.matchAll(citation)) {
      const numbers = (found[1] ?? '').split(',').map((n) => Number(n.trim()));
      if (numbers.some((n) => n < 1 || n > titles.length)) continue;
      parts.push(text.data.slice(from, found.index).replace(/ $/, '\u2009'));
      for (const n of numbers) parts.push(button(n, titles[n - 1] ?? '', open));
      from = found.index + found[0].length;
    }
    if (from) text.replaceWith(...parts, text.data.slice(from));
  }
}

function button(n: number, title: string, open: (index: number) => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'cite num';
  made.textContent = String(n);
  made.title = title;
  made.setAttribute('aria-label', `${n}: ${title}`);
  made.addEventListener('click', () => {
    open(n - 1);
  });
  return made;
}
