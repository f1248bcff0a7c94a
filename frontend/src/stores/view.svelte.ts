// What the person looks at: page, selected job, side bar. Nothing here comes from the shop.

export type PageId =
  | 'chat'
  | 'library'
  | 'toolbox'
  | 'services'
  | 'bank'
  | 'notes'
  | 'memory'
  | 'models'
  | 'outside'
  | 'permissions'
  | 'audit'
  | 'letters'
  | 'logs'
  | 'settings';

/** Whose letters are looked at: a chat's, a job's, or all; and the moment one came from, in ms. */
export interface LettersOf {
  chat?: string;
  job?: string;
  at?: number;
}

const KEEP_SIDE = 'agentchat.side';
const KEEP_BEHIND = 'agentchat.behind';
const KEEP_WELCOME = 'agentchat.welcomed';

export class View {
  page = $state<PageId>('chat');
  /** The job whose panel is open. */
  jobId = $state<string>();
  side = $state(openAtFirst());
  /** Whether the rooms behind the counter are listed. */
  behind = $state(localStorage.getItem(KEEP_BEHIND) === 'open');
  /** The message to scroll to, after a search. */
  seek = $state<string>();
  /** Which letters the letters page opens with. */
  letters = $state.raw<LettersOf>({});
  /** The address a person is asked about before it opens in the browser. */
  link = $state<string>();
  /** What is typed and not sent yet, by chat. */
  drafts = $state<Record<string, string>>({});
  /** The first-run card was read and put away. */
  welcomed = $state(localStorage.getItem(KEEP_WELCOME) === 'yes');
  searching = $state(false);
  shortcuts = $state(false);

  go(page: PageId): void {
    this.page = page;
  }

  /** Opens the letters behind a message or a job. */
  showLetters(of: LettersOf): void {
    this.letters = of;
    this.page = 'letters';
  }

  dismissWelcome(): void {
    this.welcomed = true;
    localStorage.setItem(KEEP_WELCOME, 'yes');
  }

  openJob(id: string): void {
    this.jobId = id;
  }

  closeJob(): void {
    this.jobId = undefined;
  }

  toggleBehind(): void {
    this.behind = !this.behind;
    localStorage.setItem(KEEP_BEHIND, this.behind ? 'open' : 'closed');
  }

  toggleSide(): void {
    this.side = !this.side;
    localStorage.setItem(KEEP_SIDE, this.side ? 'open' : 'closed');
  }
}

/** In a narrow window the side bar lies over the chat, so it starts closed. */
function openAtFirst(): boolean {
  const kept = localStorage.getItem(KEEP_SIDE);
  return window.innerWidth > 860 && kept !== 'closed';
}

export const view = new View();
