// A drag from outside of the window, with a real pointer: what a file manager and a hand do.
import { Child, run } from './children.mjs';
import { compiled } from './compiled.mjs';

/** A source of these files (of a piece of text without any) at the corner of the display; it is gone after the test. */
export async function dragSource(t, display, files = []) {
  const child = new Child(await compiled('dragsource', ['gtk+-3.0']), files, { env: display.env });
  t.after(() => child.stop());
  await child.says(/ready/);
  const hand = (...args) => run('xdotool', args.map(String), { env: display.env });
  let at = [20, 15];
  /** Moves as a hand does: not in one leap, or no window would hear of what passes over it. */
  const moveTo = async (x, y) => {
    const steps = 12;
    const [fromX, fromY] = at;
    for (let i = 1; i <= steps; i++)
      await hand(
        'mousemove',
        Math.round(fromX + ((x - fromX) * i) / steps),
        Math.round(fromY + ((y - fromY) * i) / steps),
      );
    at = [x, y];
  };
  await hand('mousemove', ...at);
  await hand('mousedown', 1);
  await moveTo(60, 60);
  await child.says(/begun/);
  /** Waits until the window under the pointer says that it would take what is dragged, and did not take that back. */
  const welcome = () => child.says(/over [1-9](?![\s\S]*over)/);
  return {
    moveTo,
    welcome,
    /** Lets go where it is welcome, or at any place, and waits until the drag is over; the result is whether somebody took what was dragged. */
    letGo: async ({ unwelcome = false } = {}) => {
      if (!unwelcome) await welcome(); // what is let go before is lost, however soon the page showed that it would take it
      await hand('mouseup', 1);
      const [, how] = await child.says(/(ended|failed) \d+/);
      await child.stop();
      return how === 'ended';
    },
  };
}
