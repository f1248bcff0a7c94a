// A unified diff, line by line, as people look at it.
import type { event } from '$lib/api/types';

export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'where';
  sign: string;
  text: string;
  /** The line of the text that a piece begins with; on the lines that say so only. */
  at?: number;
}

/**
 * The lines of a unified diff as people read them: what names the files is said beside it, and where a piece begins is a
 * number. The two lines that name the files belong to the head alone: a line of the text that begins with the same signs
 * stays a change. A piece at the first line needs no number.
 */
export function unified(diff: string): DiffLine[] {
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let head = true;
  return lines.flatMap((line): DiffLine[] => {
    if (head && /^(---|\+\+\+) /.test(line)) return [];
    const piece = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line);
    if (piece) {
      head = false;
      const at = Number(piece[1]);
      return at > 1 ? [{ kind: 'where', sign: '', text: line, at }] : [];
    }
    if (line.startsWith('\\')) return [{ kind: 'where', sign: '', text: line }];
    if (line.startsWith('+')) return [{ kind: 'added', sign: '+', text: line.slice(1) }];
    if (line.startsWith('-')) return [{ kind: 'removed', sign: '−', text: line.slice(1) }];
    return [{ kind: 'same', sign: '', text: line.startsWith(' ') ? line.slice(1) : line }];
  });
}

/** Whether a value stands in a change whole: as what is added, or as a word of the sentence about it. */
export function standsIn(change: event.AskPreview, value: string): boolean {
  const bare = value.trim();
  if (!bare || change.cut) return false;
  const added = unified(change.diff ?? '').filter((l) => l.kind === 'added');
  return (
    added
      .map((l) => l.text)
      .join('\n')
      .trim() === bare
  );
}
