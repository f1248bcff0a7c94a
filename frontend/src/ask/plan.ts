// A plan over many things, as it is looked at: grouped by where things go, searched, unticked and renamed.
import type { shop, toolbox } from '$lib/api/types';

export type PlanLine = shop.PlanLine;

/** The lines that lead into one folder, by their places in the plan. */
export interface Group {
  folder: string;
  lines: number[];
}

/** A row of the list: the head of a group, or one of its lines. */
export type Row = { group: Group; line?: undefined } | { group: Group; line: number };

const folderOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0));
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The lines by where they lead, in the order in which the folders first come up; what only goes stands by where it is. */
export function grouped(lines: readonly PlanLine[], query: string): Group[] {
  const sought = query.trim().toLocaleLowerCase().normalize('NFC');
  const groups = new Map<string, Group>();
  lines.forEach((line, n) => {
    const words = `${line.from ?? ''}\n${line.to ?? ''}`.toLocaleLowerCase();
    if (sought && !words.includes(sought)) return;
    const folder = folderOf(line.to || line.from || '');
    let group = groups.get(folder);
    if (!group) groups.set(folder, (group = { folder, lines: [] }));
    group.lines.push(n);
  });
  return [...groups.values()];
}

/** What is seen of the groups: of those that are folded, the head alone. */
export const rowsOf = (groups: readonly Group[], folded: ReadonlySet<string>): Row[] =>
  groups.flatMap((group): Row[] => [
    { group },
    ...(folded.has(group.folder) ? [] : group.lines.map((line) => ({ group, line }))),
  ]);

/** What is told of a plan that is approved in part; undefined where all of it is. */
export function pickOf(
  left: ReadonlySet<number>,
  names: ReadonlyMap<number, string>,
): toolbox.Pick | undefined {
  const leave = [...left].sort((a, b) => a - b);
  const named = [...names]
    .filter(([line]) => !left.has(line))
    .map(([line, name]) => ({ line, name }))
    .sort((a, b) => a.line - b.line);
  return leave.length || named.length ? { leave, names: named } : undefined;
}
