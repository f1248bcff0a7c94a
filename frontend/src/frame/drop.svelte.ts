// Files that people drag onto the window. The page sees the drag; the paths come from Wails, once they are dropped.
import { Outside } from '$stores/outside.svelte';
import { shop } from '$stores/shop.svelte';
import { attempt, toasts } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';

import { frameText as t } from './messages';
import { focusComposer } from './shortcuts';

/** WebKitGTK never says that a drag holds files: it tells them, like links, by the kind of list it hands over. */
const byList = navigator.userAgent.includes('Linux');

/** Whether a drag may hold files. */
export const carriesFiles = (data: DataTransfer | null): boolean =>
  !!data && (data.types.includes('Files') || (byList && data.types.includes('text/uri-list')));

/** What is dragged over the window. */
class Dragging {
  /** Files are over the window right now. */
  files = $state(false);
  /** What was dropped last went into a text. */
  typed = false;

  /** What the last drag that came into the window held. */
  #last?: 'files' | 'words';
  /** Something of the window itself is dragged. */
  #own = false;
  #over: EventTarget | null = null;

  see(event: DragEvent): void {
    switch (event.type) {
      case 'dragstart':
        this.#own = true;
        break;
      case 'dragenter':
      case 'dragover':
        this.typed = false;
        if (event.type === 'dragenter') this.#over = event.target;
        this.#last = !this.#own && carriesFiles(event.dataTransfer) ? 'files' : 'words';
        if (this.#last === 'files' && !this.files) void shop.attachments.load(); // the reader gets ready meanwhile
        this.files = this.#last === 'files';
        break;
      case 'dragleave': // what is entered next is told before what is left
        if (event.target === this.#over) this.files = false;
        break;
      default:
        this.over();
    }
  }

  /** The drag is over, or a pointer that moves freely shows that it is. */
  over(): void {
    this.#own = this.files = false;
  }

  /**
   * What a drop of these paths brings; undefined when no files were dropped here. Wails hands out the paths of a drag that
   * only passed by with the next piece of text that is dropped, makes paths of links on a Mac and an empty one on Linux.
   */
  take(paths: string[]): string[] | undefined {
    const files = this.#last === 'files' && !this.typed;
    this.over();
    this.#last = undefined;
    return files ? paths.filter((path) => path.trim()) : undefined;
  }
}

export const dragging = new Dragging();

/** Bundles of outside tools become forms on the page of those. What is dropped on a chat goes with the message that is typed there; elsewhere it goes into the library, which shows how far it is. */
export async function dropped(given: string[]): Promise<void> {
  const paths = dragging.take(given);
  if (!paths) return;
  if (!paths.length) {
    toasts.show({ kind: 'info', text: t.dropNothing });
    return;
  }
  if (paths.every(Outside.isBundle)) {
    view.go('outside');
    await attempt(() => shop.outside.bring(paths));
    return;
  }
  if (view.page === 'chat') {
    shop.attachments.addPaths(shop.chats.currentId, paths);
    focusComposer();
    return;
  }
  if (view.page === 'models') {
    const { acts } = await import('../pages/models/acts.svelte'); // not before the first paint
    for (const path of paths) await acts.bring(path);
    return;
  }
  if (view.page === 'settings') {
    view.dropped = paths[0];
    return;
  }
  shop.library.close();
  view.go('library');
  await attempt(() => shop.library.bring(paths));
}

/** Puts files into the library that the program was started with; the chat shows how far they are. */
export async function bringHere(paths: string[]): Promise<void> {
  const brought = await attempt(() => shop.library.bring(paths));
  if (brought) shop.library.brought = [...shop.library.brought, brought.id];
}
