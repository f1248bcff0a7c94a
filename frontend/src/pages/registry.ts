import BookHeart from '@lucide/svelte/icons/book-heart';
import CalendarSync from '@lucide/svelte/icons/calendar-sync';
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark';
import ClipboardList from '@lucide/svelte/icons/clipboard-list';
import ConciergeBell from '@lucide/svelte/icons/concierge-bell';
import Cpu from '@lucide/svelte/icons/cpu';
import LibraryIcon from '@lucide/svelte/icons/library';
import Landmark from '@lucide/svelte/icons/landmark';
import Mail from '@lucide/svelte/icons/mail';
import MessagesSquare from '@lucide/svelte/icons/messages-square';
import Plug from '@lucide/svelte/icons/plug';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import ShieldCheck from '@lucide/svelte/icons/shield-check';
import SlidersHorizontal from '@lucide/svelte/icons/sliders-horizontal';
import Star from '@lucide/svelte/icons/star';
import StickyNote from '@lucide/svelte/icons/sticky-note';
import Sunrise from '@lucide/svelte/icons/sunrise';
import Trash from '@lucide/svelte/icons/trash-2';
import Tickets from '@lucide/svelte/icons/tickets';
import Waypoints from '@lucide/svelte/icons/waypoints';
import Wrench from '@lucide/svelte/icons/wrench';
import type { Component } from 'svelte';

import type { PageId } from '$stores/view.svelte';

import ChatPage from './chat/ChatPage.svelte';

export interface Page {
  id: PageId;
  icon: Component;
  /** Fetches it: a page is read the first time it is opened. The chat is there from the start. */
  load: () => Promise<{ default: Component }>;
  /** Stands behind the counter: listed once the person opens that part of the side bar. */
  behind?: boolean;
}

/** The rooms of the shop, in the order of the side bar. A room is listed once it exists. */
export const pages: readonly Page[] = [
  { id: 'chat', icon: MessagesSquare, load: () => Promise.resolve({ default: ChatPage }) },
  { id: 'toolbox', icon: Wrench, load: () => import('./toolbox/ToolboxPage.svelte') },
  { id: 'services', icon: ConciergeBell, load: () => import('./services/ServicesPage.svelte') },
  { id: 'library', icon: LibraryIcon, load: () => import('./library/LibraryPage.svelte') },
  { id: 'standing', icon: CalendarSync, load: () => import('./standing/StandingPage.svelte') },
  { id: 'favourites', icon: Star, load: () => import('./favourites/FavouritesPage.svelte') },
  { id: 'sheet', icon: Sunrise, load: () => import('./sheet/SheetPage.svelte') },
  { id: 'tickets', icon: Tickets, load: () => import('./tickets/TicketsPage.svelte') },
  { id: 'bank', icon: Landmark, load: () => import('./bank/BankPage.svelte') },
  { id: 'notes', icon: StickyNote, load: () => import('./notes/NotesPage.svelte') },
  { id: 'memory', icon: BookHeart, load: () => import('./memory/MemoryPage.svelte') },
  { id: 'models', icon: Cpu, load: () => import('./models/ModelsPage.svelte') },
  { id: 'outside', icon: Plug, load: () => import('./outside/OutsidePage.svelte'), behind: true },
  {
    id: 'permissions',
    icon: ShieldCheck,
    load: () => import('./permissions/PermissionsPage.svelte'),
    behind: true,
  },
  {
    id: 'audit',
    icon: ClipboardList,
    load: () => import('./audit/AuditPage.svelte'),
    behind: true,
  },
  {
    id: 'outbound',
    icon: Waypoints,
    load: () => import('./outbound/OutboundPage.svelte'),
    behind: true,
  },
  { id: 'letters', icon: Mail, load: () => import('./letters/LettersPage.svelte'), behind: true },
  { id: 'logs', icon: ScrollText, load: () => import('./logs/LogsPage.svelte'), behind: true },
  { id: 'trash', icon: Trash, load: () => import('./trash/TrashPage.svelte') },
  { id: 'settings', icon: SlidersHorizontal, load: () => import('./settings/SettingsPage.svelte') },
  { id: 'help', icon: CircleQuestionMark, load: () => import('./help/HelpPage.svelte') },
];
