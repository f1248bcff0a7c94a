// The same window in Chromium: the dev build of the app serves the frontend and its bound methods over HTTP, so every
// call, event and error is the real backend's.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

import { Child } from './children.mjs';
import { drawnInPage, findInPage, untilInPage } from './inpage.mjs';
import { freePort, listening } from './net.mjs';
import { inRepo, screenshotPath } from './paths.mjs';
import { patience } from './patience.mjs';

/** The browser to test with: $CHROMIUM, or the system's. One that has no window of its own comes first: it draws the page alone. */
export function chromiumPath() {
  const known = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ].map((n) => `/usr/bin/${n}`);
  const path = [process.env.CHROMIUM, ...known].find((p) => p && existsSync(p));
  if (!path) throw new Error('Chromium was not found; run `make setup-test`, or set CHROMIUM to its path.');
  return path;
}

export function launchBrowser() {
  const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--force-color-profile=srgb'];
  return chromium.launch({ executablePath: chromiumPath(), args });
}

/**
 * A page that is about to be loaded anew lives on until the new one comes, and its timers with it; but the dev server's script has let go of the line to
 * the program by then, and complains of every word. Nobody hears what is said from there on.
 */
function partInPage() {
  addEventListener('beforeunload', () => (window.WailsInvoke = () => undefined));
}

/** Starts build/bin/agentchat-dev on a display and opens its page in the browser. */
export async function openChromiumWindow(display, browser, data, options = {}) {
  const port = await freePort();
  const env = {
    ...display.env,
    ...data.env,
    assetdir: inRepo('frontend/dist'),
    devserver: `127.0.0.1:${port}`,
  };
  const app = new Child(inRepo('build/bin/agentchat-dev'), [], { env });
  try {
    await listening(port, app);
    const context = await browser.newContext({ viewport: { width: 1280, height: 840 }, ...options });
    context.setDefaultTimeout(patience);
    await context.addInitScript(partInPage);
    const page = await context.newPage();
    const window = new ChromiumWindow(app, context, page);
    await page.goto(`http://127.0.0.1:${port}/`);
    return window;
  } catch (error) {
    await app.stop();
    throw new Error(`${error.message}\nThe app wrote:\n${app.output}`, { cause: error });
  }
}

class ChromiumWindow {
  kind = 'chromium';
  /** What went wrong in the page: uncaught errors and console errors. */
  complaints = [];

  constructor(app, context, page) {
    this.app = app;
    this.context = context;
    this.page = page;
    page.on('pageerror', (error) => {
      // The dev server adds an overlay of its own to the page, whose script runs before there is a body to draw in.
      if (!error.stack?.includes('/wails/ipc.js'))
        this.complaints.push(`uncaught: ${error.stack ?? error.message}`);
    });
    page.on(
      'console',
      (message) => message.type() === 'error' && this.complaints.push(`console: ${message.text()}`),
    );
  }

  evaluate(fn, arg) {
    return this.page.evaluate(fn, arg);
  }

  /** The first one that can be seen, which may come a moment after what was pressed before. */
  async #visible(selector) {
    await this.evaluate(untilInPage, { selector, count: 1, timeout: 15_000 });
    const index = (await this.evaluate(findInPage, selector)).findIndex((e) => e.visible);
    if (index < 0) throw new Error(`nothing to be seen fits ${selector}`);
    return this.page.locator(selector).nth(index);
  }

  async click(selector) {
    await (await this.#visible(selector)).click();
  }

  async type(selector, text) {
    await (await this.#visible(selector)).pressSequentially(text);
  }

  /** The same at once, as from an input method or a clipboard: a key is a word to the browser, to the page and to the program, each and back. */
  async write(selector, text) {
    await (await this.#visible(selector)).focus();
    await this.page.keyboard.insertText(text);
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  /** Draws all that is there and keeps a picture of it, unless nobody will look at it (SCREENSHOTS=no). */
  async screenshot(name) {
    const path = screenshotPath(name);
    await this.evaluate(drawnInPage);
    if (process.env.SCREENSHOTS !== 'no') await this.page.screenshot({ path });
    return path;
  }

  async close() {
    await this.context.close();
    await this.app.stop();
  }

  /** Ends the program as a loss of power would: without a word to it. */
  async kill() {
    await this.context.close();
    this.app.signal('SIGKILL');
    await this.app.ended;
    await this.app.stop(); // what it had started
  }
}
