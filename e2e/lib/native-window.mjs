// The real production window on a virtual display, driven by WebKitWebDriver.
import { setTimeout as pause } from 'node:timers/promises';

import { Child, run } from './children.mjs';
import { compiled } from './compiled.mjs';
import { drawnInPage, findInPage, readyInPage, untilInPage } from './inpage.mjs';
import { freePort, listening } from './net.mjs';
import { inRepo, screenshotPath } from './paths.mjs';
import { patience } from './patience.mjs';
import { WebDriver } from './webdriver.mjs';

/** Compiles a library of native/ that is preloaded into the window. */
export const preload = (name) =>
  compiled(name, ['webkit2gtk-4.1'], { as: `${name}.so`, flags: ['-shared', '-fPIC'] });

/** Starts build/bin/agentchat on a display and takes hold of its window. A watch (see watch.mjs) notes what it shows. */
export async function openNativeWindow(
  display,
  data,
  { binary = inRepo('build/bin/agentchat'), args = [], watch } = {},
) {
  const [shim, inspector, port] = [await preload('automation'), await freePort(), await freePort()];
  const env = {
    ...display.env,
    ...data.env,
    ...watch?.env,
    LD_PRELOAD: watch ? `${shim}:${watch.library}` : shim,
    WEBKIT_INSPECTOR_SERVER: `127.0.0.1:${inspector}`,
  };
  const started = performance.now();
  const app = new Child(binary, args, { env });
  let driver;
  try {
    await listening(inspector, app);
    const ready = Math.round(performance.now() - started);
    driver = new Child('WebKitWebDriver', [`--port=${port}`, `--target=127.0.0.1:${inspector}`], {
      env: display.env,
    });
    await listening(port, driver);
    return new NativeWindow(display, app, driver, await WebDriver.connect(port), ready);
  } catch (error) {
    await driver?.stop();
    await app.stop();
    throw new Error(`${error.message}\nThe app wrote:\n${app.output}`, { cause: error });
  }
}

class NativeWindow {
  kind = 'native';
  #display;
  #driver;
  #page;

  constructor(display, app, driver, page, ready) {
    this.#display = display;
    this.app = app;
    this.#driver = driver;
    this.#page = page;
    /** Milliseconds from the start of the program until its web view existed. */
    this.ready = ready;
  }

  evaluate(fn, arg) {
    return this.#page.evaluate(fn, arg);
  }

  /** Does something with the first element that can be seen, which may come a moment after what was pressed before, or be drawn anew meanwhile. */
  async #with(selector, act) {
    for (let tries = 1; ; tries++) {
      await this.evaluate(untilInPage, { selector, count: 1, timeout: 15_000 });
      const index = (await this.evaluate(findInPage, selector)).findIndex((e) => e.visible);
      if (index < 0) throw new Error(`nothing to be seen fits ${selector}`);
      const element = (await this.#page.elements(selector))[index];
      try {
        if (element) return await act(element);
      } catch (error) {
        if (tries === 3 || !/stale element reference/.test(error.message)) throw error;
      }
    }
  }

  async click(selector) {
    await this.evaluate(untilInPage, { selector, count: 1, timeout: 15_000 });
    await this.evaluate(readyInPage, selector);
    await this.#with(selector, (element) => this.#page.click(element));
  }

  async type(selector, text) {
    await this.#with(selector, (element) => this.#page.type(element, text));
  }

  /** Here, too, by keys: the driver takes them all in one call. */
  write(selector, text) {
    return this.type(selector, text);
  }

  press(key) {
    return this.#page.press(key);
  }

  /** A picture of the window with its frame, as it is on the screen. Gives its path. */
  async screenshot(name) {
    const path = screenshotPath(name);
    await this.evaluate(drawnInPage);
    const picture = (...how) => run('scrot', [...how, '--overwrite', path], { env: this.#display.env });
    await picture('--focused', '--border').catch(() => picture()); // the screen, as long as nothing on it has the focus
    return path;
  }

  /** Presses the close button of the window's frame. */
  pressClose() {
    return run('wmctrl', ['-c', 'Agent Chat'], { env: this.#display.env });
  }

  /** Waits until the window is on the screen, or no longer. */
  async onScreen(wanted) {
    for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(50)) {
      const windows = await run('wmctrl', ['-lp'], { env: this.#display.env });
      const there = windows.split('\n').some((line) => Number(line.split(/\s+/)[2]) === this.app.pid);
      if (there === wanted) return;
    }
    throw new Error(`the window is ${wanted ? 'not on' : 'still on'} the screen:\n${this.app.output}`);
  }

  /**
   * Closes the window as a person would who wants the program to end, also if it asks first because something goes on, and gives
   * its exit code.
   */
  async closeByPerson() {
    await this.pressClose();
    const asked = this.evaluate(untilInPage, { selector: '[data-testid="quit"]', count: 1, timeout: 60_000 });
    // Whether it asks or ends is known by its end alone, and the driver answers neither then.
    asked.then(() => this.click('[data-testid="quit"]')).catch(() => undefined);
    const how = await this.#within(60_000);
    await this.#release();
    return how;
  }

  /** Waits for the end of the program and gives its exit code. */
  async ended() {
    const how = await this.#within(20_000);
    await this.#release();
    return how;
  }

  /** Asks the program to end as the system would, and gives its exit code. */
  async closeBySystem() {
    await this.#release();
    this.app.signal('SIGTERM');
    return this.#within(10_000);
  }

  async close() {
    await this.#release();
    await this.app.stop();
  }

  /** Ends the program as a loss of power would: without a word to it. */
  async kill() {
    this.app.signal('SIGKILL');
    await this.close();
  }

  async #release() {
    await this.#page?.end().catch(() => undefined);
    this.#page = undefined;
    await this.#driver.stop();
  }

  async #within(milliseconds) {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds, 'did not end')));
    const how = await Promise.race([this.app.ended, late]);
    clearTimeout(timer);
    await this.app.stop();
    return how;
  }
}
