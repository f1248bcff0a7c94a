// Files dropped on the window. The drag itself is the browser's; the paths go the way on which Wails' GTK code sends them.

/** Drags files over an element of the page: what it hears of a drag from outside. */
export async function dragOver(page, selector = 'main') {
  await page.evaluate((s) => {
    window.__drag = new DataTransfer();
    window.__drag.items.add(new File(['x'], 'x.txt'));
    const over = document.querySelector(s);
    window.__over = over;
    for (const type of ['dragenter', 'dragover'])
      over.dispatchEvent(
        new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: window.__drag }),
      );
  }, selector);
}

/** Leaves the window again without dropping. */
export const dragAway = (page) =>
  page.evaluate(() =>
    window.__over.dispatchEvent(
      new DragEvent('dragleave', { bubbles: true, cancelable: true, dataTransfer: window.__drag }),
    ),
  );

/** Drops what is over the window: these paths. */
export const letGo = (page, paths) =>
  page.evaluate((list) => {
    window.__over.dispatchEvent(
      new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: window.__drag }),
    );
    window.WailsInvoke(`DD:400:300:${list.join('\n')}`);
  }, paths);

export async function drop(page, paths, selector = 'main') {
  await dragOver(page, selector);
  await letGo(page, paths);
}
