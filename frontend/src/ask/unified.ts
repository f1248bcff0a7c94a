// A unified diff, line by line, as people look at it.

export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'where';
  sign: string;
  text: string;
}

/**
 * The lines of a unified diff. The two lines that name the files belong to its head alone: a line of the text that begins
 * with the same signs stays a change.
 */
export function unified(diff: string): DiffLine[] {
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let head = true;
  return lines.map((line) => {
    if (line.startsWith('@@')) head = false;
    if (head && /^(---|\+\+\+) /.test(line)) return { kind: 'where', sign: '', text: line };
    if (line.startsWith('@@') || line.startsWith('\\'))
      return { kind: 'where', sign: '', text: line };
    if (line.startsWith('+')) return { kind: 'added', sign: '+', text: line.slice(1) };
    if (line.startsWith('-')) return { kind: 'removed', sign: '−', text: line.slice(1) };
    return { kind: 'same', sign: '', text: line.startsWith(' ') ? line.slice(1) : line };
  });
}
