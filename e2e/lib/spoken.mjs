// What a screen reader is told of the window: its accessible tree, read from outside over AT-SPI as Orca reads it.
import { run } from './children.mjs';
import { compiled } from './compiled.mjs';

/**
 * The accessible tree of a native window on a display that was opened with `accessible`, from the outside in: each thing's role, name, description,
 * how urgently its changes are read (`live`), whether it can be reached by keyboard, and the names of what it stands in, the nearest first.
 */
export async function treeOf(display, window) {
  const lines = await run(await compiled('tree', ['atspi-2', 'gobject-2.0']), [String(window.app.pid)], {
    env: display.env,
  });
  const above = [];
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [depth, role, name, description, live, reached] = line.split('\t');
      above.length = Number(depth);
      const thing = { role, name, description, live, reached: reached === '1', within: [...above].reverse() };
      above.push(name);
      return thing;
    });
}
