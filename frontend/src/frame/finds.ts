// What the search dialog can find: what the window knows itself, at once, and what the shop finds in its rooms.
import type { SearchHit, SearchQuery, Spec } from '$lib/api';
import { language, say } from '$lib/i18n/index.svelte';
import { plain } from '$lib/markdown/plain';
import { scale } from '$lib/scale.svelte';
import { stateWord, type StateName } from '$lib/states';
import { shop } from '$stores/shop.svelte';
import { attempt } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';

import { pages } from '../pages/registry';
import { isRule } from '../pages/settings/table';
import { runFavourite } from '../pages/chat/actions';
import { chatTitle } from './chatTitle';
import { excerpt, holds } from './matching';
import { dialogText as t } from './dialogMessages';
import { frameText } from './messages';
import { openChat, openJob } from './places';
import { searchText } from './searchText';
import { keys, keysOf, newChat, nextWaiting } from './shortcuts';
import { nextSize } from './textSize';

export type Kind =
  | 'command'
  | 'page'
  | 'setting'
  | 'tool'
  | 'service'
  | 'chat'
  | 'document'
  | 'note'
  | 'payee'
  | 'favourite'
  | 'message'
  | 'passage'
  | 'fact'
  | 'job'
  | 'log';

export interface Find {
  kind: Kind;
  id: string;
  title: string;
  /** More about it, in a second line. */
  text: string;
  time: string;
  open: () => void;
}

/** A find of the window's own, with all the words it is found by. */
interface Known extends Find {
  words: string;
}

const MOST = 5;

/** What a search can be narrowed to; each shows finds of some kinds, of which the shop has some. */
export const shelves = {
  chat: ['chat'],
  message: ['message'],
  job: ['job', 'log'],
  note: ['note'],
  document: ['document', 'passage'],
  fact: ['fact'],
  setting: ['setting'],
  command: ['command', 'page', 'tool', 'service', 'favourite'],
} as const satisfies Record<string, readonly Kind[]>;
export type Shelf = keyof typeof shelves;

/** How a search is narrowed: to one shelf, to the chat that is open, a project or a folder, to so many days; '' not at all. */
export interface Narrowed {
  shelf: Shelf | '';
  where: string;
  days: string;
}

export const everywhere: Narrowed = { shelf: '', where: '', days: '' };
export const HERE = 'here';
const DAY = 86_400_000;

/** Whether finds of a kind are wanted. */
export const wants = (narrowed: Narrowed, kind: Kind): boolean =>
  !narrowed.shelf || (shelves[narrowed.shelf] as readonly Kind[]).includes(kind);

/** What the shop is asked for. */
export function queryOf(text: string, { shelf, where, days }: Narrowed): SearchQuery {
  return {
    text,
    kinds: shelf ? [...shelves[shelf]] : [],
    chat: where === HERE ? shop.chats.currentId : '',
    project: where === HERE ? '' : where,
    since: days ? new Date(Date.now() - Number(days) * DAY).toISOString() : '',
  };
}
const size = (step: 1 | -1 | 0) => set({ text_size: nextSize(scale.percent, step) });
const set = (values: Record<string, unknown>) => void attempt(() => shop.settings.set(values));

function commands(): Known[] {
  const command = (id: string, title: string, text: string, open: () => void, words = '') => {
    return {
      kind: 'command' as const,
      id,
      title,
      text,
      time: '',
      open,
      words: `${title} ${words}`,
    };
  };
  return [
    command('new', t.keyNew, keysOf('new'), () => void newChat()),
    command('waiting', t.keyNext, keysOf('next'), nextWaiting),
    ...(['light', 'dark', 'contrast', 'system'] as const).map((theme) =>
      command(
        theme,
        searchText.look(frameText[theme]),
        '',
        () => set({ theme }),
        searchText.lookWords,
      ),
    ),
    command(
      'lang',
      searchText.lang,
      '',
      () => set({ lang: language.current === 'ko' ? 'en' : 'ko' }),
      searchText.langWords,
    ),
    command('larger', t.larger, keys('+'), () => size(1)),
    command('smaller', t.smaller, keys('−'), () => size(-1)),
    command('usual', t.usual, keys('0'), () => size(0)),
    command('side', t.keySide, keysOf('side'), () => view.toggleSide()),
    command('keys', t.keyKeys, keysOf('keys'), () => (view.shortcuts = true), t.shortcuts),
  ];
}

const rooms = (): Known[] =>
  pages.map(({ id }) => ({
    ...{
      kind: 'page',
      id,
      title: frameText[id],
      text: '',
      time: '',
      words: `${frameText[id]} ${id}`,
    },
    open: () => view.go(id),
  }));

const settings = (): Known[] =>
  shop.settings.all
    .filter(({ key }) => !isRule(key))
    .map(({ key, title, help }) => ({
      ...{ kind: 'setting', id: key, title: say(title) || key, text: say(help), time: '' },
      words: [key, title.ko, title.en, help.ko, help.en].join(' '),
      open: () => view.reveal('settings', key),
    }));

const tools = (specs: readonly Spec[]): Known[] =>
  specs.map(({ key, title, description, examples }) => ({
    ...{ kind: 'tool', id: key, title: say(title) || key, text: say(description), time: '' },
    words: [key, title.ko, title.en, description.ko, description.en]
      .concat((examples ?? []).map((e) => e.text))
      .join(' '),
    open: () => view.reveal('toolbox', key),
  }));

/**
 * What the window finds itself, a few of each kind: what shows the words, by title first, and what is only known by them, which
 * must not stand before what shows them anywhere.
 */
export function found(
  words: readonly string[],
  specs: readonly Spec[],
  narrowed: Narrowed = everywhere,
): { seen: Find[]; known: Find[] } {
  const [seen, known]: [Find[], Find[]] = [[], []];
  // What the window knows itself belongs to no chat and has no date.
  if (narrowed.where || narrowed.days) return { seen, known };
  const most = narrowed.shelf ? Infinity : MOST;
  for (const list of [commands(), rooms(), settings(), tools(specs)]) {
    const rank = (k: Known) =>
      holds(k.title, words) ? 0 : holds(`${k.title} ${k.text}`, words) ? 1 : 2;
    const fitting = list
      .filter((k) => wants(narrowed, k.kind) && holds(k.words, words))
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, most);
    for (const k of fitting) (rank(k) < 2 ? seen : known).push(k);
  }
  return { seen, known };
}

/** What one may want before a word is typed: what waits, the last conversations, and what can be done. */
export function offered(): Find[] {
  const jobs = shop.jobs.waiting.slice(0, MOST).map((job): Find => ({
    ...{ kind: 'job', id: job.id, title: job.title, text: stateWord('waiting'), time: '' },
    open: () => openJob(job.id, job.chat),
  }));
  const chats = shop.chats.list
    .filter((c) => c.messages.length || c.title)
    .slice(0, MOST)
    .map((c): Find => ({
      ...{ kind: 'chat', id: c.id, title: chatTitle(c), text: groupOf(c.id), time: '' },
      open: () => openChat(c.id),
    }));
  return [...jobs, ...chats, ...commands()];
}

/** The name of the folder or project that a chat is in. */
const groupOf = (chat: string): string =>
  shop.projects.find(shop.chats.byId.get(chat)?.project ?? '')?.title ?? '';

/** A hit of the shop, titled by what it is, with what leads to it. */
export function shown(hit: SearchHit, words: readonly string[]): Find {
  const { id, chat = '', jobId = '' } = hit;
  const line = (text: string) => excerpt(plain(text), words);
  const find = (title: string, text: string, open: () => void): Find => {
    return {
      kind: hit.kind,
      id: hit.id + (hit.start ?? ''),
      title,
      text,
      time: hit.time,
      open,
    };
  };
  switch (hit.kind as Kind) {
    case 'message': {
      const title = shop.chats.byId.get(chat);
      const from = hit.title || (title ? chatTitle(title) : '');
      const where = chat.startsWith('job:') ? searchText.inJob : searchText.inChat;
      return find(line(hit.text), from && where(from), () => {
        if (chat.startsWith('job:')) return openJob(chat.slice('job:'.length));
        openChat(chat);
        view.seek = id;
      });
    }
    case 'log':
      return find(line(hit.text), searchText.inJob(hit.title), () => openJob(jobId, chat));
    case 'job':
      return find(hit.title, stateWord(hit.text as StateName), () => openJob(id, chat));
    case 'note':
      return find(line(hit.title), '', () => view.reveal('notes', id));
    case 'fact':
      return find(line(hit.title), '', () => view.reveal('memory', id));
    case 'payee':
      return find(hit.title, hit.text, () => view.reveal('bank', id));
    case 'favourite':
      return find(`/${hit.title}`, hit.text, () => void runFavourite(id));
    case 'service':
      return find(hit.title, '', () => view.reveal('services', id));
    case 'document':
    case 'passage':
      return find(hit.title, line(hit.text), () => {
        void shop.library.read(id, hit.start ?? 0, hit.end ?? 0);
        view.go('library');
      });
    default:
      return find(hit.title || frameText.untitled, groupOf(id), () => openChat(id));
  }
}

/** The tools' manuals, as the dialog needs them. */
export const manuals = async (): Promise<Spec[]> => (await attempt(shop.inventory.manuals)) ?? [];
