import { language } from './index.svelte';

/** How days and figures are written in each language: as the shop itself says them in its sentences. */
const LOCALES = { ko: 'ko-KR', en: 'en-US' };

const clocks = new Map<string, Intl.DateTimeFormat>();

function formatter(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language.current}:${name}`;
  let found = clocks.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(LOCALES[language.current], options);
    clocks.set(key, found);
  }
  return found;
}

// Engines do not agree on the Korean halves of a day, nor on the space beside the English ones, so both are put together here.
function halfDay(at: Date | string | number, seconds: boolean): string {
  const then = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  const hour = then.getHours();
  const parts = [String(((hour + 11) % 12) + 1), two(then.getMinutes())];
  if (seconds) parts.push(two(then.getSeconds()));
  const figures = parts.join(':');
  return language.current === 'ko'
    ? `${hour < 12 ? '오전' : '오후'}\u00a0${figures}`
    : `${figures}\u00a0${hour < 12 ? 'AM' : 'PM'}`;
}

/** 오후 2:32 or 2:32 PM, which the shop itself says as 오후 2시 32분 and 2:32 PM. */
export const clock = (at: Date | string | number): string => halfDay(at, false);

/** 오후 2:32:07 or 2:32:07 PM */
export const clockSeconds = (at: Date | string | number): string => halfDay(at, true);

/** 11월 21일 (토) or Sat, Nov 21 */
export function day(at: Date | string | number): string {
  return formatter('day', { month: 'short', day: 'numeric', weekday: 'short' }).format(
    new Date(at),
  );
}

/** A day with its year where that is not this one: 11월 21일 (토), 2027년 3월 5일 (금). */
export function date(at: Date | string | number): string {
  const then = new Date(at);
  if (then.getFullYear() === new Date().getFullYear()) return day(then);
  return formatter('date', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    weekday: 'short',
  }).format(then);
}

/** How long, from milliseconds: 8초, 3분 20초, 1시간 5분. */
export function duration(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  const ko = language.current === 'ko';
  const unit = ko ? ['시간', '분', '초'] : ['h', 'm', 's'];
  if (hours > 0) return `${hours}${unit[0]} ${minutes}${unit[1]}`;
  if (minutes > 0) return `${minutes}${unit[1]} ${seconds}${unit[2]}`;
  return `${seconds}${unit[2]}`;
}

/** Playing time, from seconds: 3:07 or 1:02:09. */
export function playtime(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds));
  const h = Math.floor(total / 3600);
  const m = Math.floor((total % 3600) / 60);
  const s = String(total % 60).padStart(2, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${s}` : `${m}:${s}`;
}

/** Room on a disk or on the wire, from bytes, in steps of a thousand as download pages count: 2.6 GB, 640 MB. */
export function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(unit > 2 && value < 99.95 ? 1 : 0)} ${units[unit]}`;
}

/** Room in memory, from bytes, in steps of 1024 as memory is sold: 3.4 GB, 16 GB. */
export function memory(bytes: number): string {
  const gigabytes = Math.max(0, bytes) / 2 ** 30;
  const whole = Math.abs(gigabytes - Math.round(gigabytes)) < 0.05;
  return `${gigabytes.toFixed(whole || gigabytes >= 100 ? 0 : 1)} GB`;
}

/** A short time, from milliseconds: 40ms, 0.4초, 12초; from a minute on as duration has it. */
export function moment(ms: number): string {
  if (ms < 95) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms >= 60_000) return duration(ms);
  const seconds = (Math.max(0, ms) / 1000).toFixed(ms < 9950 ? 1 : 0);
  return language.current === 'ko' ? `${seconds}초` : `${seconds}s`;
}

/** 12,345 */
export const count = (n: number): string => n.toLocaleString(LOCALES[language.current]);

/** Languages by their names: "Korean, English". */
export function languageNames(codes: readonly string[]): string {
  const names = new Intl.DisplayNames([LOCALES[language.current]], {
    type: 'language',
  });
  return codes.map((code) => names.of(code) ?? code).join(', ');
}
