import { setTimeout as pause } from 'node:timers/promises';

import { patience } from './patience.mjs';

/** Waits until a look at the page, which may ask the shop, finds something. Playwright's own wait takes the promise of such a look for a yes. */
export async function finds(page, look, arg) {
  for (const end = Date.now() + patience; ; await pause(100)) {
    const found = await page.evaluate(look, arg);
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${patience / 1000} s in vain for ${look}`);
  }
}
