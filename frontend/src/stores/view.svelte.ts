// What the person looks at: page, selected job, side bar. Nothing here comes from the shop.
import type { event, Project, TicketFilter } from '$lib/api/types';
import { scale } from '$lib/scale.svelte';

export type PageId =
  | 'chat'
  | 'library'
  | 'toolbox'
  | 'services'
  | 'standing'
  | 'favourites'
  | 'sheet'
  | 'tickets'
  | 'bank'
  | 'notes'
  | 'memory'
  | 'models'
  | 'outside'
  | 'permissions'
  | 'audit'
  | 'outbound'
  | 'letters'
  | 'logs'
  | 'trash'
  | 'settings'
  | 'help';

/** Whose letters are looked at: a chat's, a job's, or all; and the moment one came from, in ms. */
export interface LettersOf {
  chat?: string;
  job?: string;
  at?: number;
}

/** How a request is said once more as it was: what of its work is to be taken back first, and who is to answer, as server/model. */
export interface Anew {
  back?: string[];
  model?: string;
}

/** What was typed, and the document it asks about. */
interface Draft {
  draft: string;
  about?: event.DocumentRef | undefined;
}

/** An earlier request that is being changed, with what had been typed in its chat before. */
export interface Change extends Draft, Anew {
  id: string;
  keep?: string[];
  /** It comes from before a restart: whether the request is still there has yet to be seen. */
  resumed?: boolean;
}

const KEEP_SIDE = 'agentchat.side';
const KEEP_WELCOME = 'agentchat.welcomed';

export class View {
  page = $state<PageId>('chat');
  /** The job whose panel is open. */
  jobId = $state<string>();
  /** The question of the open panel, or its title where it has none, is to have the focus as soon as it is there. */
  calling = $state(false);
  /** The side bar is wanted beside the page. */
  side = $state(localStorage.getItem(KEEP_SIDE) !== 'closed');
  /** The side bar lies over the page, in a narrow window. It is there to choose from, and goes with the choice. */
  drawer = $state(false);
  /** The message to scroll to, after a search. */
  seek = $state<string>();
  /** What one is led to on a page: a row of it, by its id there. */
  target = $state.raw<{ page: PageId; id: string }>();
  /** Which letters the letters page opens with. */
  letters = $state.raw<LettersOf>({});
  /** What the page of all jobs is to be narrowed to when it opens; else it is as it was left. */
  tickets: TicketFilter | undefined;
  /** The address a person is asked about before it opens in the browser. */
  link = $state<string>();
  /** The path of a file that was dropped on the settings. */
  dropped = $state<string>();
  /** One of those that may hold chats from elsewhere. */
  brought = $state<string>();
  /** What is typed and not sent yet, by chat. */
  drafts = $state<Record<string, string>>({});
  /** The window is one line just now, and what was typed there. */
  line = $state(false);
  lineText = $state('');
  /** What was typed before the window was there is to be sent. */
  entered = false;
  /** The one document that what is typed asks about, by chat. */
  about = $state<Record<string, event.DocumentRef | undefined>>({});
  /** The favourite whose words stand in the box, with blanks, by chat. */
  favourite = $state<Record<string, string | undefined>>({});
  /** The request that is being changed, by chat. */
  editing = $state<Record<string, Change | undefined>>({});
  /** The request whose old work is being taken back, by chat: the words in the box wait for it. */
  taking = $state<Record<string, string | undefined>>({});
  /** The first-run card was read and put away. */
  welcomed = $state(localStorage.getItem(KEEP_WELCOME) === 'yes');
  searching = $state(false);
  /** The project whose dialog is open, and the chat whose is. */
  project = $state<Project & { chat?: string }>();
  settling = $state<string>();
  /** Words are looked for in the chat that is open. */
  finding = $state(false);
  shortcuts = $state(false);

  /** The window is so narrow that the side bar lies over the page. */
  get narrow(): boolean {
    return scale.narrow;
  }

  /** The side bar is open, beside the page or over it. */
  get sideOpen(): boolean {
    return this.narrow ? this.drawer : this.side;
  }

  go(page: PageId): void {
    this.page = page;
    this.drawer = false;
    this.target = undefined;
  }

  /** Opens a page at one of the things on it. */
  reveal(page: PageId, id: string): void {
    this.go(page);
    this.target = { page, id };
  }

  /** Opens the letters behind a message or a job. */
  showLetters(of: LettersOf): void {
    this.letters = of;
    this.go('letters');
  }

  /** Opens the page of all jobs at some of them. */
  showTickets(of: TicketFilter): void {
    this.tickets = of;
    this.go('tickets');
  }

  dismissWelcome(): void {
    this.welcomed = true;
    localStorage.setItem(KEEP_WELCOME, 'yes');
  }

  /** Puts an earlier request into the box to be changed. What was typed there comes back afterwards. */
  edit(chat: string, id: string, text: string, about?: event.DocumentRef, anew: Anew = {}): void {
    const was = this.editing[chat] ?? { draft: this.drafts[chat] ?? '', about: this.about[chat] };
    this.editing[chat] = { id, draft: was.draft, about: was.about, ...anew };
    this.drafts[chat] = text;
    this.about[chat] = about;
  }

  /** Ends the change of a request; the result is whether there was one. */
  stopEditing(chat: string): boolean {
    const was = this.editing[chat];
    if (!was) return false;
    this.editing[chat] = undefined;
    this.drafts[chat] = was.draft;
    this.about[chat] = was.about;
    return true;
  }

  /** Ends a change whose request is gone. The words of one from before a restart stand as what is typed, below what had been before. */
  lose(chat: string): void {
    const [was, text, about] = [this.editing[chat], this.drafts[chat] ?? '', this.about[chat]];
    if (!this.stopEditing(chat) || !was?.resumed) return;
    this.drafts[chat] = [was.draft, text].filter((words) => words.trim()).join('\n\n');
    this.about[chat] ??= about;
  }

  openJob(id: string): void {
    this.jobId = id;
  }

  /** Opens the panel of a job, if one is given, for who goes on by keyboard. */
  callJob(id?: string): void {
    if (id) this.openJob(id);
    this.calling = this.jobId !== undefined;
  }

  closeJob(): void {
    this.calling = false;
    this.jobId = undefined;
  }

  toggleSide(): void {
    if (this.narrow) {
      this.drawer = !this.drawer;
      return;
    }
    this.side = !this.side;
    localStorage.setItem(KEEP_SIDE, this.side ? 'open' : 'closed');
  }
}

export const view = new View();
