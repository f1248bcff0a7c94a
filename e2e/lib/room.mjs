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

/** How much of the window's height the conversation has, and what it shares the rest with. */
export const sharesInPage = () => {
  const part = (selector) =>
    (document.querySelector(selector)?.getBoundingClientRect().height ?? 0) / innerHeight;
  return { conversation: part('main'), board: part('.board'), dock: part('.dock') };
};

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
