// Files dropped on the window. The drag itself is the browser's; the paths go the way on which Wails' GTK code sends them.

/** Drags files over an element of the page: what it hears of a drag from outside, again and again until it ends. */
export async function dragOver(page, selector = 'main') {
  await page.evaluate((s) => {
    const over = document.querySelector(s);
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'x.txt'));
    const tell = (type) =>
      over.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    tell('dragenter');
    tell('dragover');
    const still = setInterval(() => tell('dragover'), 50);
    window.__endDrag = (type) => {
      clearInterval(still);
      tell(type);
    };
  }, selector);
}

/** Leaves the window again without dropping. */
export const dragAway = (page) => page.evaluate(() => window.__endDrag('dragleave'));

/**
 * Hands paths to the window as Wails does after a drop of anything, and waits until the page has heard of them: they go
 * round by the program, and a drag that began meanwhile would be taken for theirs.
 */
export const handOut = (page, paths) =>
  page.evaluate(
    (list) =>
      new Promise((heard) => {
        window.runtime.EventsOnce('wails:file-drop', () => heard());
        window.WailsInvoke(`DD:400:300:${list.join('\n')}`);
      }),
    paths,
  );

/** Drops what is over the window: these paths. */
export async function letGo(page, paths) {
  await page.evaluate(() => window.__endDrag('drop'));
  await handOut(page, paths);
}

export async function drop(page, paths, selector = 'main') {
  await dragOver(page, selector);
  await letGo(page, paths);
}

/** Drags and drops something that is not a file, of a kind and with a content, over an element; Wails hands out these paths. */
export async function dropText(page, selector, { kind, text, paths }) {
  await page.evaluate(
    ([s, k, content]) => {
      const data = new DataTransfer();
      data.setData(k, content);
      for (const type of ['dragenter', 'dragover', 'drop'])
        document
          .querySelector(s)
          .dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
    },
    [selector, kind, text],
  );
  await handOut(page, paths);
}
