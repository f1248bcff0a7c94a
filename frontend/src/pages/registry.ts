import BookHeart from '@lucide/svelte/icons/book-heart';
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
import StickyNote from '@lucide/svelte/icons/sticky-note';
import Wrench from '@lucide/svelte/icons/wrench';
import type { Component } from 'svelte';

import type { PageId } from '$stores/view.svelte';

import AuditPage from './audit/AuditPage.svelte';
import BankPage from './bank/BankPage.svelte';
import ChatPage from './chat/ChatPage.svelte';
import LibraryPage from './library/LibraryPage.svelte';
import LettersPage from './letters/LettersPage.svelte';
import LogsPage from './logs/LogsPage.svelte';
import MemoryPage from './memory/MemoryPage.svelte';
import ModelsPage from './models/ModelsPage.svelte';
import NotesPage from './notes/NotesPage.svelte';
import OutsidePage from './outside/OutsidePage.svelte';
import PermissionsPage from './permissions/PermissionsPage.svelte';
import ServicesPage from './services/ServicesPage.svelte';
import SettingsPage from './settings/SettingsPage.svelte';
import ToolboxPage from './toolbox/ToolboxPage.svelte';

export interface Page {
  id: PageId;
  icon: Component;
  component: Component;
  /** Stands behind the counter: listed once the person opens that part of the side bar. */
  behind?: boolean;
}

/** The rooms of the shop, in the order of the side bar. A room is listed once it exists. */
export const pages: readonly Page[] = [
  { id: 'chat', icon: MessagesSquare, component: ChatPage },
  { id: 'toolbox', icon: Wrench, component: ToolboxPage },
  { id: 'services', icon: ConciergeBell, component: ServicesPage },
  { id: 'library', icon: LibraryIcon, component: LibraryPage },
  { id: 'bank', icon: Landmark, component: BankPage },
  { id: 'notes', icon: StickyNote, component: NotesPage },
  { id: 'memory', icon: BookHeart, component: MemoryPage },
  { id: 'models', icon: Cpu, component: ModelsPage },
  { id: 'outside', icon: Plug, component: OutsidePage, behind: true },
  { id: 'permissions', icon: ShieldCheck, component: PermissionsPage, behind: true },
  { id: 'audit', icon: ClipboardList, component: AuditPage, behind: true },
  { id: 'letters', icon: Mail, component: LettersPage, behind: true },
  { id: 'logs', icon: ScrollText, component: LogsPage, behind: true },
  { id: 'settings', icon: SlidersHorizontal, component: SettingsPage },
];
