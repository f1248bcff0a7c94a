import type { Setting } from '$lib/api/types';

export type SectionId =
  | 'shop'
  | 'interpreter'
  | 'folders'
  | 'tools'
  | 'pager'
  | 'branches'
  | 'more'
  | 'backups'
  | 'chats'
  | 'about';

/** The sections of the page in order, with the settings laid out in each by hand. */
export const sections: readonly { id: SectionId; keys: readonly string[] }[] = [
  {
    id: 'shop',
    keys: [
      'lang',
      'theme',
      'text_size',
      'policy.mode',
      'workers',
      'pace',
      'notifications',
      'on_close',
      'global_key',
      'paused',
      'offline',
    ],
  },
  {
    id: 'interpreter',
    keys: [
      'provider',
      'model',
      'ollama_host',
      'openai_base',
      'model_timeouts',
      'num_ctx',
      'keep_alive',
      'parallel',
      'embed_model',
    ],
  },
  { id: 'folders', keys: ['music_folder', 'video_folder', 'home_place'] },
  { id: 'tools', keys: [] },
  { id: 'pager', keys: ['pager.open', 'pager.port'] },
  { id: 'branches', keys: ['branches.name', 'branches.address', 'branches.port'] },
  {
    id: 'more',
    keys: ['solve.max_iterations', 'solve.calls', 'max_queued_jobs', 'job_keep', 'log_level'],
  },
  { id: 'backups', keys: [] },
  { id: 'chats', keys: [] },
  { id: 'about', keys: ['updates', 'data_dir', 'config'] },
];

/** Settings that are changed where they hold. */
const elsewhere = ['shortcuts', 'search.service', 'search.address'];

const laidOut = new Set([...elsewhere, ...sections.flatMap((s) => s.keys)]);

/** Whether a setting belongs to one tool or group: those are changed in the toolbox. */
export const isRule = (key: string): boolean =>
  key.startsWith('tools.') || key.startsWith('groups.');

const isRole = (key: string): boolean => key.startsWith('roles.');
const isSet = (s: Setting): boolean => s.source !== 'default' && s.value !== null;

/** The settings of a section. One the page has never heard of is listed under "more", so none is ever hidden. */
export function itemsOf(id: SectionId, all: readonly Setting[]): Setting[] {
  const byKey = new Map(all.map((s) => [s.key, s]));
  const section = sections.find((s) => s.id === id);
  const items = (section?.keys ?? []).flatMap((key) => byKey.get(key) ?? []);
  if (id === 'tools') return all.filter((s) => isRule(s.key) && isSet(s));
  // What somebody changed about a role; the models page has all of them.
  if (id === 'interpreter') items.push(...all.filter((s) => isRole(s.key) && isSet(s)));
  if (id === 'more')
    items.push(...all.filter((s) => !laidOut.has(s.key) && !isRule(s.key) && !isRole(s.key)));
  return items;
}

export type Control =
  'choice' | 'switch' | 'number' | 'folder' | 'text' | 'fixed' | 'timeouts' | 'page';

/** How a setting is drawn. */
export function controlOf(item: Setting): Control {
  if (!item.live) return 'fixed';
  if (item.enum?.length) return 'choice';
  switch (item.type) {
    case 'bool':
      return 'switch';
    case 'int':
    case 'number':
      return 'number';
    case 'folder':
      return 'folder';
    case 'timeouts':
      return 'timeouts';
    case 'list':
      return 'page';
    default:
      return 'text';
  }
}

const units: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** The parts of a value such as "connect=5s,first=2m0s,gap=30s", in seconds. */
export function secondsOf(value: string): Record<string, number> {
  const parts = value.split(',').map((part) => part.split('='));
  return Object.fromEntries(
    parts.map(([name = '', length = '']) => [
      name.trim(),
      [...length.matchAll(/([\d.]+)(ms|h|m|s)/g)].reduce(
        (sum, [, n, unit = 's']) => sum + Number(n) * (units[unit] ?? 1),
        0,
      ),
    ]),
  );
}

/** The same, as the shop takes it. */
export const spelled = (seconds: Record<string, number>): string =>
  Object.entries(seconds)
    .map(([name, n]) => `${name}=${n}s`)
    .join(',');

/** Whether somebody chose a value other than the default. */
export const isChanged = (item: Setting): boolean => item.live && item.value !== item.default;
