// What the person looks at: page, selected job, side bar. Nothing here comes from the shop.

export type PageId = 'chat' | 'toolbox' | 'logs' | 'settings';

const KEEP_SIDE = 'agentchat.side';

export class View {
  page = $state<PageId>('chat');
  /** The job whose panel is open. */
  jobId = $state<string>();
  side = $state(localStorage.getItem(KEEP_SIDE) !== 'closed');
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

export const view = new View();
