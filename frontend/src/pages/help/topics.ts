// The short pages about how it works. What a tool does and how one asks for it is its manual's to say; a page only groups the tools.
import type { Component } from 'svelte';
import Banknote from '@lucide/svelte/icons/banknote';
import Calculator from '@lucide/svelte/icons/calculator';
import Clock from '@lucide/svelte/icons/clock';
import FileSearch from '@lucide/svelte/icons/file-search';
import FolderTree from '@lucide/svelte/icons/folder-tree';
import Globe from '@lucide/svelte/icons/globe';
import Hand from '@lucide/svelte/icons/hand';
import Keyboard from '@lucide/svelte/icons/keyboard';
import MessagesSquare from '@lucide/svelte/icons/messages-square';
import Plug from '@lucide/svelte/icons/plug';
import Music from '@lucide/svelte/icons/music';
import Signpost from '@lucide/svelte/icons/signpost';
import StickyNote from '@lucide/svelte/icons/sticky-note';

import type { Spec } from '$lib/api/types';
import type { PageId } from '$stores/view.svelte';

export interface Topic {
  id:
    | 'talk'
    | 'ask'
    | 'documents'
    | 'files'
    | 'money'
    | 'play'
    | 'time'
    | 'notes'
    | 'reckon'
    | 'web'
    | 'other'
    | 'rooms'
    | 'keys';
  icon: Component;
  /** The tools it tells of, by their keys. */
  tools: readonly string[];
  /** The page where one sees what came of it. */
  page?: PageId;
}

export const topics: readonly Topic[] = [
  { id: 'talk', icon: MessagesSquare, tools: [], page: 'chat' },
  { id: 'ask', icon: Hand, tools: [], page: 'permissions' },
  {
    id: 'documents',
    icon: FileSearch,
    tools: [
      'hybrid_search',
      'get_article_by_index',
      'get_article_by_title',
      'lookup_standard_contract',
      'table_query',
    ],
    page: 'library',
  },
  {
    id: 'files',
    icon: FolderTree,
    tools: [
      'file_tidy',
      'file_list',
      'file_read',
      'file_search',
      'file_write',
      'file_move',
      'file_copy',
      'folder_make',
      'file_trash',
      'file_undo',
      'file_export',
      'open_file',
    ],
    page: 'permissions',
  },
  { id: 'money', icon: Banknote, tools: ['transfer', 'statement', 'unschedule'], page: 'bank' },
  { id: 'play', icon: Music, tools: ['song', 'movie', 'nav', 'player_control'] },
  { id: 'time', icon: Clock, tools: ['timer', 'clock', 'weather'], page: 'standing' },
  {
    id: 'notes',
    icon: StickyNote,
    tools: [
      'note_add',
      'note_list',
      'note_search',
      'note_edit',
      'note_delete',
      'local_search',
      'ledger_undo',
    ],
    page: 'notes',
  },
  { id: 'reckon', icon: Calculator, tools: ['calculator', 'unit_convert'] },
  {
    id: 'web',
    icon: Globe,
    tools: ['web_search', 'web_fetch', 'open_link', 'clipboard_read', 'clipboard_write', 'shell'],
    page: 'outbound',
  },
  { id: 'other', icon: Plug, tools: [], page: 'outside' },
  { id: 'rooms', icon: Signpost, tools: [] },
  { id: 'keys', icon: Keyboard, tools: [] },
];

const told = new Set(topics.flatMap((topic) => topic.tools));

/** The manuals of a page's tools that are in the box, in the page's order. Those that no page names are on the one of all others. */
export const manualsOf = (topic: Topic, specs: readonly Spec[]): Spec[] =>
  topic.id === 'other'
    ? specs.filter((spec) => !told.has(spec.key))
    : topic.tools.flatMap((key) => specs.find((spec) => spec.key === key) ?? []);
