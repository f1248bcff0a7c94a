// What the person looks at: page, selected job, side bar. Nothing here comes from the shop.

export type PageId = 'chat' | 'toolbox' | 'logs' | 'settings';

const KEEP_SIDE = 'agentchat.side';

export class View {
  page = $state<PageId>('chat');
  /** The job whose panel is open. */
  jobId = $state<string>();
  side = $state(openAtFirst());
  /** The message to scroll to, after a search. */
  seek = $state<string>();
  /** The address a person is asked about before it opens in the browser. */
  link = $state<string>();
  /** What is typed and not sent yet, by chat. */
  drafts = $state<Record<string, string>>({});
  searching = $state(false);
  shortcuts = $state(false);

  go(page: PageId): void {
    this.page = page;
  }

  openJob(id: string): void {
    this.jobId = id;
  }

  closeJob(): void {
    this.jobId = undefined;
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
