import type { LogLine } from '$lib/api/types';

/** A line of the log. One with `missed` stands for that many lines that came too fast. */
export type Line = LogLine;

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'panic'];

/** How grave a level is; a level nobody knows counts as information. */
export function gravity(level: string): number {
  const at = LEVELS.indexOf(level);
  return at < 0 ? 2 : at;
}

/** The job a line is about; undefined for a line of the program itself. */
export function jobOf(line: Line): string | undefined {
  const id: unknown = line.fields?.['job'] ?? line.fields?.['jobId'];
  return typeof id === 'string' && id ? id : undefined;
}

// Shown elsewhere in the row, or of use to the program only; the whole line has them all.
const hidden = new Set(['job', 'jobId', 'todo', 'component']);

/** What a line carries beside its message, as key=value. */
export function extras(line: Line): string {
  let text = '';
  for (const [key, value] of Object.entries(line.fields ?? {})) {
    if (hidden.has(key)) continue;
    text += `${text ? ' ' : ''}${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
  }
  return text;
}

const two = (n: number) => String(n).padStart(2, '0');

/** 14:32:07.048, in the time of this place. */
export function stamp(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const ms = String(at.getMilliseconds()).padStart(3, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${ms}`;
}

/** A line as text, for the clipboard. */
export function asText(line: Line): string {
  const job = jobOf(line);
  const parts = [line.time, line.level.toUpperCase().padEnd(5), component(line)];
  return [...parts, job && `job=${job}`, line.message, extras(line)].filter(Boolean).join(' ');
}

/** The part of the program a line comes from. */
export function component(line: Line): string {
  const own: unknown = line.component ?? line.fields?.['component'];
  return typeof own === 'string' ? own : '';
}

/** What the reader wants to see. */
export interface Wanted {
  level: string;
  /** '' everything, 'program' no job's lines, 'jobs' any job's, else the id of a job. */
  source: string;
  text: string;
}

/** The test a line has to pass. */
export function keeper(wanted: Wanted): (line: Line) => boolean {
  const least = gravity(wanted.level);
  const needle = wanted.text.trim().toLowerCase();
  return (line) => {
    if (line.missed) return wanted.source === '' && !needle;
    if (gravity(line.level) < least) return false;
    if (wanted.source) {
      const job = jobOf(line);
      if (
        wanted.source === 'program' ? job : wanted.source === 'jobs' ? !job : job !== wanted.source
      )
        return false;
    }
    if (!needle) return true;
    if (line.message.toLowerCase().includes(needle)) return true;
    return `${component(line)} ${jobOf(line) ?? ''} ${extras(line)}`.toLowerCase().includes(needle);
  };
}
