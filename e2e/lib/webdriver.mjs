// The little of the W3C WebDriver protocol that a test of one window needs.

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const keys = {
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Shift: '\uE008',
  Control: '\uE009',
  F2: '\uE032',
  Delete: '\uE017',
};

/** A session with a driver that listens on a port of this computer. */
export class WebDriver {
  #base;

  static async connect(port) {
    const driver = new WebDriver();
    driver.#base = `http://127.0.0.1:${port}/session`;
    const { sessionId } = await driver.#call('POST', '', { capabilities: { alwaysMatch: {} } });
    driver.#base += `/${sessionId}`;
    await driver.#call('POST', '/timeouts', { script: 300_000 });
    return driver;
  }

  async #call(method, path, body) {
    const response = await fetch(this.#base + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebDriver ${method} ${path}: ${value?.error} ${value?.message}`);
    return value;
  }

  /** Runs a function in the page and waits for what it returns or resolves to. */
  async evaluate(fn, arg) {
    const script = `const [arg, done] = arguments;
      Promise.resolve().then(() => (${fn})(arg)).then(value => done({ value }), error => done({ error: String(error) }));`;
    const { value, error } = await this.#call('POST', '/execute/async', { script, args: [arg ?? null] });
    if (error) throw new Error(`in the page: ${error}`);
    return value;
  }

  /** The elements that fit a selector, as the driver names them. */
  async elements(selector) {
    const found = await this.#call('POST', '/elements', { using: 'css selector', value: selector });
    return found.map((e) => e[elementKey]);
  }

  click(element) {
    return this.#call('POST', `/element/${element}/click`, {});
  }

  /** Types into an element, key by key. */
  type(element, text) {
    return this.#call('POST', `/element/${element}/value`, { text });
  }

  /** Presses a key where the focus is: a character, a name ("Enter"), or a chord ("Control+n"). */
  async press(chord) {
    const values = chord.split('+').map((key) => keys[key] ?? key);
    const down = values.map((value) => ({ type: 'keyDown', value }));
    const up = values.toReversed().map((value) => ({ type: 'keyUp', value }));
    await this.#call('POST', '/actions', {
      actions: [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }],
    });
  }

  /** Lets go of the window. */
  end() {
    return this.#call('DELETE', '');
  }
}
