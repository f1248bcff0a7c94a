// A text that is still being written ends anywhere: in the middle of **bold, a table without its second line, a link
// without its address. Shown as it is, it would flicker from marks to markup. mend shows the end as it will look, or
// waits with it.

const FENCE = /^ {0,3}(```|~~~)/;
/** The beginning of a line that may yet become anything: a list, a heading, a rule, a quote, a fence. */
const UNDECIDED = /^\s{0,3}([-*+=>#_`~|]+|\d{1,3}[.)]?)\s*$/;

/** What of a growing text can be shown already. A whole text comes out as it went in. */
export function mend(text: string): string {
  const lines = text.split('\n');
  let fenced = '';
  let blockStart = 0;
  for (const [i, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (mark && (!fenced || mark === fenced)) fenced = fenced ? '' : mark;
    else if (!fenced && !line.trim() && i < lines.length - 1) blockStart = i + 1;
  }
  if (fenced) return text;
  const block = lines.slice(blockStart);
  // A table is one from its second line on; until that is whole, its head would look like a sentence with bars.
  if (block[0]?.trimStart().startsWith('|') && block.length < 3) {
    return rejoin(lines.slice(0, blockStart));
  }
  if (UNDECIDED.test(lines.at(-1) ?? '')) return rejoin(lines.slice(0, -1));
  if (!block.length) return text;
  const before = lines.slice(0, blockStart).map((line) => line + '\n');
  const shown = before.join('') + close(block.join('\n'));
  return shown === text ? text : shown.trimEnd();
}

const rejoin = (lines: string[]): string => lines.join('\n').trimEnd();

/** Closes the marks that are open at the end of one block. */
function close(block: string): string {
  const formula = block.lastIndexOf('$$');
  if (formula >= 0 && block.split('$$').length % 2 === 0) return block.slice(0, formula).trimEnd();
  let out = block;
  // Code first: marks inside it are letters.
  const ticks = out.match(/`/g)?.length ?? 0;
  if (ticks % 2) return out.endsWith('`') ? out.slice(0, -1) : out + '`';
  const link = /!?\[([^[\]\n]*)\]\([^()\s]*$/.exec(out);
  if (link) out = out.slice(0, link.index) + (link[1] ?? '');
  // Marks at the very end that open something say nothing yet.
  out = out.replace(/(^|\s)[*~]+$/, '$1');
  for (const mark of ['**', '~~']) {
    const bare = out.replace(/`[^`]*`/g, '');
    if (bare.split(mark).length % 2) continue;
    const open = out.lastIndexOf(mark);
    const inside = out.slice(open + mark.length);
    if (!inside.trim()) out = out.slice(0, open).trimEnd();
    else if (mark === '**' && /[^*]\*$/.test(inside)) out += '*';
    else out = out.trimEnd() + mark;
  }
  return out;
}
