import { expect, it } from 'vitest';

import type { Setting } from '$lib/api/types';

import { controlOf, isChanged, itemsOf, secondsOf, spelled } from './table';

const item = (key: string, more: Partial<Setting> = {}): Setting => ({
  key,
  value: '',
  default: '',
  source: 'default',
  env: '',
  live: true,
  type: 'text',
  title: { ko: key, en: key },
  help: { ko: '', en: '' },
  ...more,
});
const keys = (list: Setting[]) => list.map((s) => s.key);

it('lays settings out by hand and hides none', () => {
  const all = [
    item('surprise'),
    item('workers'),
    item('lang'),
    item('log_level'),
    item('tools.nav.capacity', { source: 'file' }),
    item('tools.song.capacity'),
  ];
  expect(keys(itemsOf('shop', all))).toEqual(['lang', 'workers']);
  expect(keys(itemsOf('more', all))).toEqual(['log_level', 'surprise']);
  expect(keys(itemsOf('tools', all))).toEqual(['tools.nav.capacity']);
});

it.each([
  [{ type: 'enum', enum: ['ko', 'en'] }, 'choice'],
  [{ type: 'bool' }, 'switch'],
  [{ type: 'int' }, 'number'],
  [{ type: 'number' }, 'number'],
  [{ type: 'folder' }, 'folder'],
  [{ type: 'address' }, 'text'],
  [{ type: 'timeouts' }, 'timeouts'],
  [{ type: 'list' }, 'page'],
  [{ type: 'folder', live: false }, 'fixed'],
] as const)('draws %o as a %s', (more, control) => {
  expect(controlOf(item('x', more as Partial<Setting>))).toBe(control);
});

it('reads and writes times in seconds', () => {
  const times = secondsOf('connect=5s,first=2m0s,gap=1h1m1.5s');
  expect(times).toEqual({ connect: 5, first: 120, gap: 3661.5 });
  expect(spelled(times)).toBe('connect=5s,first=120s,gap=3661.5s');
});

it('knows what somebody changed', () => {
  expect(isChanged(item('pace', { value: 60, default: 1 }))).toBe(true);
  expect(isChanged(item('pace', { value: 1, default: 1 }))).toBe(false);
  expect(isChanged(item('data_dir', { value: '/a', default: '/b', live: false }))).toBe(false);
});
