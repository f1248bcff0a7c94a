import { language } from './index.svelte';

const clocks = new Map<string, Intl.DateTimeFormat>();

function formatter(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language.current}:${name}`;
  let found = clocks.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(language.current === 'ko' ? 'ko-KR' : 'en-GB', options);
    clocks.set(key, found);
  }
  return found;
}

/** 14:32 */
export function clock(at: Date | string | number): string {
  return formatter('clock', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(at),
  );
}

/** 14:32:07 */
export function clockSeconds(at: Date | string | number): string {
  return formatter('seconds', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(at));
}

/** 11월 21일 (토) or Sat 21 Nov */
export function day(at: Date | string | number): string {
  return formatter('day', { month: 'short', day: 'numeric', weekday: 'short' }).format(
    new Date(at),
  );
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
