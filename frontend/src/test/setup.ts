import { cleanup, configure } from '@testing-library/svelte';
import { afterAll, afterEach, vi } from 'vitest';

// jsdom lays nothing out and has no observers; the window only needs them to exist.
class Still {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= Still as unknown as typeof ResizeObserver;
globalThis.IntersectionObserver ??= Still as unknown as typeof IntersectionObserver;
globalThis.matchMedia ??= (() => ({
  matches: false,
  addEventListener() {},
  removeEventListener() {},
})) as unknown as typeof matchMedia;
Element.prototype.scrollIntoView ??= () => {};
Element.prototype.animate ??= () =>
  ({ cancel() {}, finished: Promise.resolve(), onfinish: null }) as unknown as Animation;

// As testTimeout: a machine that does much at once is slow, not wrong.
const patience = 30_000;
configure({ asyncUtilTimeout: patience });
const waits = vi.waitFor;
vi.waitFor = (until, how) =>
  waits(until, typeof how === 'number' ? how : { timeout: patience, ...how });

afterEach(() => cleanup());

// Node's own timers are one for all files of a process: what a file has put in their place goes with it.
afterAll(() => void vi.useRealTimers());
