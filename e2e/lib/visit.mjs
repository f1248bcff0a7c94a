// One browser and one display for a test file; one shop of its own for each test.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';

import { launchBrowser, openChromiumWindow } from './chromium-window.mjs';
import { openDisplay } from './display.mjs';
import { dataFolder } from './paths.mjs';
import { Shop } from './shop.mjs';

export { finds } from './finds.mjs';

let display;
let browser;

before(async () => {
  display = await openDisplay();
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await display?.close();
});

/**
 * Opens a new shop in a new page and closes it after the test, which fails if the page complained. `settings` go into
 * the shop's settings file, `env` into its environment, `context` to the browser (for reduced motion, a colour scheme, a
 * smaller screen). `prepare` gets the data folder before the program does. `again` kills the program where it stands and opens it anew on the same
 * data, with more `env` if given. What is given back has the data folder, too, and the environment of the
 * program: where it shows the system's dialogs, and where it keeps its things.
 */
export async function visit(t, { settings, env, context, prepare } = {}) {
  const data = dataFolder(settings);
  prepare?.(data.path);
  Object.assign(data.env, env);
  let window;
  const open = async () => {
    window = await openChromiumWindow(display, browser, data, context);
    const shop = new Shop(window);
    await shop.opened();
    return { shop, window, page: window.page, again, data: data.path, env: { ...display.env, ...data.env } };
  };
  const again = async (more = {}) => {
    Object.assign(data.env, more);
    await window.kill();
    assert.deepEqual(window.complaints, [], 'the page must not complain');
    return open();
  };
  t.after(async () => {
    await window?.close();
    data.remove();
    assert.deepEqual(window?.complaints, [], 'the page must not complain');
  });
  return open();
}
