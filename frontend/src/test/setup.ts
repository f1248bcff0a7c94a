import { cleanup } from '@testing-library/svelte';
import { afterEach } from 'vitest';

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

afterEach(() => cleanup());
