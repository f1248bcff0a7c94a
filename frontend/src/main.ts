// The page begins with a shell: paper, board and the box one types into (index.html). It is drawn and can be typed into
// before the window is read; what was typed, and an Enter, are handed on.
import { ImeSender } from '$lib/ime';

const box = document.querySelector<HTMLTextAreaElement>('#app textarea');
const side = document.querySelector<HTMLElement>('#app .opening-side');
if (side && localStorage.getItem('agentchat.side') === 'closed') side.dataset.closed = '';

let entered = false;
let composing = false;
let composed = () => {};
const stop = box && new ImeSender(box, () => (entered = true)).listen();
box?.addEventListener('compositionstart', () => (composing = true));
box?.addEventListener('compositionend', () => {
  composing = false;
  setTimeout(composed); // the box gets its last input event after this one in some engines
});

// A window that is not seen is not drawn; it is opened all the same.
const drawn = new Promise<void>((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 250);
});

async function start(): Promise<void> {
  // Without Go behind it (plain `vite`), the window plays with a stand-in. A production build does not contain it.
  if (import.meta.env.DEV && !('go' in window)) (await import('./dev/pretend')).pretend();
  await drawn;
  const { open } = await import('./open');
  if (composing) await new Promise<void>((resolve) => (composed = resolve));
  stop?.();
  open(box?.value ?? '', entered);
}
void start(); // not awaited here: the window reads from this file
