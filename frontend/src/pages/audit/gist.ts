import { language } from '$lib/i18n/index.svelte';

const MOST = 90;

const won = (n: number) =>
  language.current === 'ko' ? `${n.toLocaleString('ko-KR')}원` : `${n.toLocaleString('en')} won`;

interface Schema {
  properties?: Record<string, { 'x-slot'?: string }>;
}

/** What was to be done to whom, and how much of it, in a line: the values of a call, in the order of its manual. */
export function gist(args: unknown, schema: unknown): string {
  if (!args || typeof args !== 'object') return '';
  const known = (schema as Schema | undefined)?.properties ?? {};
  const values = args as Record<string, unknown>;
  const names = [
    ...Object.keys(known).filter((name) => name in values),
    ...Object.keys(values).filter((name) => !(name in known)),
  ];
  const line = names
    .map((name) => ({ value: values[name], money: known[name]?.['x-slot'] === 'money' }))
    .filter(({ value }) => value !== '' && value !== null && value !== undefined)
    .map(({ value, money }) =>
      money && typeof value === 'number'
        ? won(value)
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value as string | number | boolean),
    )
    .join(' · ')
    .replace(/\s+/g, ' ');
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}
