// How much room the conversation has and what of it is in sight, measured in the page as it is drawn.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Which of the elements that fit are cut, covered or outside of the window, and by what. */
export function hiddenInPage(selector) {
  const found = [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length > 0);
  if (found.length === 0) return [`nothing fits ${selector}`];
  return found.flatMap((e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    const inset = parseFloat(getComputedStyle(document.documentElement).fontSize) / 4; // inside of round corners
    return [
      [left + inset, top + inset],
      [right - inset, top + inset],
      [left + inset, bottom - inset],
      [right - inset, bottom - inset],
      [(left + right) / 2, (top + bottom) / 2],
    ].flatMap(([x, y]) => {
      const met = document.elementFromPoint(x, y);
      if (met && (e === met || e.contains(met))) return [];
      const what = met ? `${met.tagName} ${met.className}` : 'the edge of the window';
      return [`${e.dataset.choice ?? e.tagName} at ${Math.round(x)},${Math.round(y)} is behind ${what}`];
    });
  });
}

/**
 * How much of the window's height the conversation has, and what it shares the rest with. The conversation is what was said, the box, and, while one is
 * open, the question between them; `talk` is that without the question.
 */
export const sharesInPage = () => {
  const part = (selector) =>
    (document.querySelector(selector)?.getBoundingClientRect().height ?? 0) / innerHeight;
  const conversation = part('main');
  const question = part('main .tray');
  return {
    conversation,
    question,
    talk: conversation - question,
    board: part('.board'),
    dock: part('.dock'),
  };
};

/** Lines that are cut at the top or the bottom by a box that shows no more and does not scroll. What is out of sight as a whole is not cut. */
export function cutInPage() {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const own = text.parentElement;
    if (!text.data.trim() || own.closest('.unseen, .skip, svg, option') || own.getClientRects().length === 0)
      continue;
    range.selectNodeContents(text);
    const size = parseFloat(getComputedStyle(own).fontSize);
    for (const line of range.getClientRects()) {
      // The letters themselves: a line has room above and below them.
      const top = (line.top + line.bottom - size * 0.8) / 2;
      const bottom = (line.top + line.bottom + size * 0.8) / 2;
      for (let box = own; box && box !== document.body; box = box.parentElement) {
        const overflow = getComputedStyle(box).overflowY;
        if (/auto|scroll/.test(overflow)) break;
        if (!/hidden|clip/.test(overflow)) continue;
        const { top: from, bottom: to } = box.getBoundingClientRect();
        if (bottom <= from + 1 || top >= to - 1) break; // nobody sees it, so no box further out cuts it
        if (top >= from - 1 && bottom <= to + 1) continue;
        found.push(
          `cut by ${box.tagName.toLowerCase()}.${box.className}: “${text.data.trim().slice(0, 30)}”`,
        );
        break;
      }
    }
  }
  return found;
}

/** What goes out at a side: of the window or the page, or of a box that scrolls sideways though it holds no text letter by letter, table or drawing. */
export function besideInPage() {
  const wide = 'pre, code, table, textarea, input, svg, [role="grid"], [data-wide]';
  const main = document.querySelector('main').getBoundingClientRect();
  const name = (e) =>
    `${e.tagName.toLowerCase()}.${String(e.className?.baseVal ?? e.className)} “${(e.textContent ?? '').trim().slice(0, 30)}”`;
  const found = [];
  for (const e of document.body.querySelectorAll('*')) {
    if (e.getClientRects().length === 0 || e.closest('.unseen, .skip')) continue;
    const style = getComputedStyle(e);
    if (
      /auto|scroll/.test(style.overflowX) &&
      e.scrollWidth > e.clientWidth + 1 &&
      !e.matches(wide) &&
      !e.querySelector(wide)
    )
      found.push(`scrolls sideways: ${name(e)}`);
    if (
      /hidden|clip/.test(style.overflowX) &&
      style.textOverflow !== 'ellipsis' &&
      !e.matches('input, textarea') && // what is typed scrolls in them
      e.scrollWidth > e.clientWidth + 1 &&
      !/^(HTML|BODY)$/.test(e.tagName)
    )
      found.push(`cut off at the side: ${name(e)}`);
    // What is cut off on purpose, with a mark of it or inside of what scrolls, is not measured here.
    let outer = e.parentElement;
    while (outer && !/auto|scroll|hidden|clip/.test(getComputedStyle(outer).overflowX))
      outer = outer.parentElement;
    if (outer && outer !== document.body && outer.tagName !== 'MAIN') continue;
    const { left, right, width } = e.getBoundingClientRect();
    const edge = outer?.tagName === 'MAIN' ? main : { left: 0, right: innerWidth };
    if (width > 1 && (right > edge.right + 1 || left < edge.left - 1))
      found.push(`goes out at the side (${Math.round(left)}–${Math.round(right)}): ${name(e)}`);
  }
  return found;
}

/** A folder of the person's, with one file in it, that goes with the test. */
export function folderOf(t) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'agentchat-room-')));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, '문서');
  mkdirSync(path);
  writeFileSync(join(path, '회의.txt'), '안건 하나\n안건 둘\n');
  return path;
}
