import {
  api,
  type GlobalKey,
  type PageCommand,
  type LogLine,
  type SearchHit,
  type SearchQuery,
  type Snapshot,
  type event,
} from '$lib/api';
import { ApiError, toApiError } from '$lib/api/error';
import { listen, onPageCommand, type Envelope, type Kind, type Listener } from '$lib/events';

import { Asks } from './asks.svelte';
import { Attachments } from './attachments.svelte';
import { Audit } from './audit.svelte';
import { Bank } from './bank.svelte';
import { Chats } from './chats.svelte';
import { Counter } from './counter.svelte';
import { Favourites } from './favourites.svelte';
import { Help } from './help.svelte';
import { Inventory } from './inventory.svelte';
import { Jobs } from './jobs.svelte';
import { Logs } from './logs.svelte';
import { Letters } from './letters.svelte';
import { Library } from './library.svelte';
import { MediaStore } from './media.svelte';
import { Memory } from './memory.svelte';
import { Models } from './models.svelte';
import { Notes } from './notes.svelte';
import { Line, Outbound, Search } from './outbound.svelte';
import { Guests } from './guests.svelte';
import { Outside } from './outside.svelte';
import { Branches } from './branches.svelte';
import { Pager } from './pager.svelte';
import { Folders } from './folders.svelte';
import { Permissions } from './permissions.svelte';
import { Projects } from './projects.svelte';
import { Provider } from './provider.svelte';
import { Had } from './resources.svelte';
import { Settings } from './settings.svelte';
import { Sheet } from './sheet.svelte';
import { Standing } from './standing.svelte';
import { Tables } from './tables.svelte';
import { Tickets } from './tickets.svelte';
import { Updates } from './updates.svelte';
import { Workers } from './workers.svelte';

/** What the shop needs of the outside; tests bring their own. */
export interface Wires {
  snapshot(): Promise<Snapshot>;
  logs(): Promise<LogLine[]>;
  listen(listener: Listener): () => void;
}

/** Hears every envelope after the stores took it. */
export type Watcher = (e: Envelope) => void;

/** What follows the events of some kinds. */
interface Follower {
  readonly kinds: readonly Kind[];
  apply(e: Envelope): void;
  /** Events may have been missed, and the snapshot that came instead does not tell what it follows: it looks anew, if somebody looks at it. */
  renew?(): void;
}

function byKind(followers: Follower[]): Map<Kind, Follower[]> {
  const kinds = new Map<Kind, Follower[]>();
  for (const follower of followers)
    for (const kind of follower.kinds) kinds.set(kind, [...(kinds.get(kind) ?? []), follower]);
  return kinds;
}

/** How soon after an act of the person the stream must have moved. */
const NEWS_MS = 1500;
const RETRY_MS = [100, 400, 1500, 4000];

/**
 * Everything the window knows. It listens first, then takes a snapshot, then applies each envelope after it in order.
 * If one is missing, it takes a new snapshot and never guesses. A batch is applied in one go, so it draws once.
 */
export class Shop {
  readonly chats = new Chats();
  readonly projects = new Projects();
  readonly jobs = new Jobs();
  readonly workers = new Workers();
  readonly asks = new Asks();
  readonly inventory = new Inventory();
  readonly media = new MediaStore();
  readonly provider = new Provider();
  readonly counter = new Counter();
  readonly bank = new Bank();
  readonly memory = new Memory();
  readonly notes = new Notes();
  readonly standing = new Standing();
  readonly favourites = new Favourites();
  readonly resources = new Had(() => api.resourcesMCP());
  readonly prompts = new Had(() => api.promptsMCP());
  readonly sheet = new Sheet();
  readonly tickets = new Tickets();
  readonly guests = new Guests();
  readonly branches = new Branches();
  readonly pager = new Pager();
  readonly outside = new Outside();
  readonly permissions = new Permissions();
  readonly folders = new Folders();
  readonly audit = new Audit();
  readonly line = new Line();
  readonly outbound = new Outbound();
  readonly webSearch = new Search();
  readonly models = new Models();
  readonly letters = new Letters();
  readonly library = new Library();
  readonly attachments = new Attachments();
  readonly tables = new Tables();
  readonly settings = new Settings();
  readonly help = new Help();
  readonly updates = new Updates();
  readonly logs = new Logs();

  ready = $state(false);
  version = $state('');
  /** What was unfinished at the start and has been taken up again, until it is put away. */
  recovered = $state.raw<event.ShopRecovered>();
  /** What was typed and not sent when the page came. */
  kept: Snapshot['drafts'] | undefined;
  /** Why the shop could not be read, while that is so. */
  trouble = $state.raw<ApiError>();

  #wires: Wires;
  #seq = 0;
  #loading = false;
  #again = false;
  #early: Envelope[] = [];
  #watchers = new Map<Watcher, (() => void) | undefined>();
  /** Who follows which kind, in this order. Chats and jobs hear everything, and before the others. */
  readonly #followers = byKind([
    this.projects,
    this.workers,
    this.asks,
    this.inventory,
    this.media,
    this.provider,
    this.counter,
    this.bank,
    this.memory,
    this.notes,
    this.standing,
    this.favourites,
    this.sheet,
    this.tickets,
    this.guests,
    this.branches,
    this.pager,
    this.outside,
    this.line,
    this.permissions,
    this.folders,
    this.models,
    this.letters,
    this.library,
    this.settings,
    this.updates,
    this.logs,
  ]);
  #earlyLogs: LogLine[] | undefined = [];
  #told = false;

  constructor(wires: Wires = { snapshot: api.snapshot, logs: api.logs, listen }) {
    this.#wires = wires;
    this.provider.auto = () => this.settings.text('provider') === 'auto';
  }

  /** Starts listening and loads everything; the result stops it. */
  start(): () => void {
    const stop = this.#wires.listen({
      envelopes: (batch) => this.receive(batch),
      gap: () => void this.reload(),
      logs: (lines) => (this.#earlyLogs ? this.#earlyLogs.push(...lines) : this.logs.append(lines)),
    });
    void this.reload();
    void this.settings.load().catch((thrown: unknown) => console.warn('settings', thrown));
    void this.#loadLogs();
    return stop;
  }

  /** Has what waits for the page done, now and whenever there is more; the result stops it. */
  onPageCommands(run: (command: PageCommand) => void): () => void {
    const take = () => {
      api.pageCommands().then(
        (list) => list.forEach(run),
        (thrown: unknown) => console.warn('page commands', thrown),
      );
    };
    take();
    return onPageCommand(take);
  }

  closeAs = (choice: 'stay' | 'quit'): Promise<void> => api.closeAs(choice);
  quit = (): Promise<void> => api.quit();
  stay = (): Promise<void> => api.stay();
  /** The window is no line any more. */
  lineDone = (stay: boolean): Promise<void> => api.lineDone(stay);
  /** What the desktop says to the key that calls the program. */
  globalKey = (): Promise<GlobalKey> => api.globalKey();
  startsAtLogin = (): Promise<boolean> => api.startsAtLogin();
  setStartsAtLogin = (on: boolean): Promise<void> => api.setStartsAtLogin(on);

  /** Hears of files that are dropped on the window; the result stops it. */
  onFileDrop = (drop: (paths: string[]) => void): (() => void) => api.onFileDrop(drop);
  /** Opens a link in the system's browser. */
  openLink = (address: string): Promise<void> => api.openLink(address);
  search = (query: SearchQuery): Promise<SearchHit[]> => api.search(query);

  /** Whether a question needs a system notification is for Go to decide; it only has to know who is looking. */
  setFocused(is: boolean): void {
    api.setFocused(is).catch(() => undefined);
  }

  /** The window's place and size are to be kept as they are now. */
  keepPlace = (): Promise<void> => api.keepPlace().catch(() => undefined);

  /** A snapshot may stand for what no event tells any more: `renewed` is called after each. */
  watch(watcher: Watcher, renewed?: () => void): () => void {
    this.#watchers.set(watcher, renewed);
    return () => this.#watchers.delete(watcher);
  }

  receive(batch: Envelope[]): void {
    if (this.#loading || !this.ready) {
      this.#early.push(...batch);
      return;
    }
    for (const [i, e] of batch.entries()) {
      if (e.seq <= this.#seq) continue;
      if (e.seq !== this.#seq + 1) {
        this.#early = batch.slice(i);
        void this.reload();
        return;
      }
      this.#take(e);
    }
  }

  /**
   * Called after an act that the shop answers with events. If none comes, the last ones were lost on the way, which no
   * gap would tell: a new snapshot is taken.
   */
  expectNews(): void {
    const seq = this.#seq;
    setTimeout(() => {
      if (this.ready && !this.#loading && this.#seq === seq) void this.reload();
    }, NEWS_MS);
  }

  /** Takes a fresh snapshot. Calls that come while one is under way make one more after it. */
  async reload(): Promise<void> {
    if (this.#loading) {
      this.#again = true;
      return;
    }
    this.#loading = true;
    const snapshot = await this.#fetch();
    this.#load(snapshot);
    this.#loading = false;
    this.ready = true;
    const early = this.#early;
    this.#early = [];
    if (this.#again) {
      this.#again = false;
      this.#early = early;
      void this.reload();
      return;
    }
    this.receive(early);
  }

  async #fetch(): Promise<Snapshot> {
    for (let attempt = 0; ; attempt++) {
      try {
        const snapshot = await this.#wires.snapshot();
        this.trouble = undefined;
        return snapshot;
      } catch (thrown) {
        this.trouble = toApiError(thrown);
        const pause = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)];
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async #loadLogs(): Promise<void> {
    const lines = await this.#wires.logs().catch((): LogLine[] => []);
    const live = this.#earlyLogs ?? [];
    this.#earlyLogs = undefined;
    this.logs.append([...lines, ...live]);
  }

  #load(snapshot: Snapshot): void {
    this.#seq = snapshot.seq;
    this.version = snapshot.version ?? '';
    if (snapshot.recovered && !this.#told) {
      this.#told = true;
      this.recovered = snapshot.recovered;
    }
    this.help.crashed = snapshot.crashed ?? '';
    this.chats.load(snapshot);
    this.projects.load(snapshot);
    this.kept ??= snapshot.drafts ?? {};
    this.counter.load(snapshot);
    this.jobs.load(snapshot);
    this.workers.load(snapshot);
    this.asks.load(snapshot);
    this.inventory.load(snapshot);
    this.media.load(snapshot);
    this.provider.load(snapshot);
    this.library.begin(snapshot);
    for (const follower of new Set([...this.#followers.values()].flat())) follower.renew?.();
    for (const renewed of this.#watchers.values()) renewed?.();
  }

  #take(e: Envelope): void {
    this.#seq = e.seq;
    if (!this.jobs.owns(e)) this.chats.apply(e);
    this.jobs.apply(e);
    for (const follower of this.#followers.get(e.kind) ?? []) follower.apply(e);
    if (e.kind === 'shop.recovered') this.recovered = e.data;
    for (const watcher of this.#watchers.keys()) watcher(e);
    // Who is in the crew, and what stands in a chat that is back, is only told by a snapshot.
    if (
      e.kind === 'chat.restored' ||
      e.kind === 'chat.version' ||
      (e.kind === 'config.changed' && 'workers' in (e.data.changed ?? {}))
    )
      void this.reload();
  }
}

export const shop = new Shop();
