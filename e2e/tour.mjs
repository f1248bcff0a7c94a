// `make run` on a computer without a display: a short guided tour of the real window on a virtual one.
import { openDisplay } from './lib/display.mjs';
import { openNativeWindow } from './lib/native-window.mjs';
import { dataFolder, inRepo } from './lib/paths.mjs';
import { play, scenarios } from './lib/scenarios.mjs';
import { Shop } from './lib/shop.mjs';

const say = (line = '') => process.stdout.write(`${line}\n`);

say(
  'No display was found, so this is a guided tour: the real window on a virtual display, driven by real keys and clicks.',
);
const display = await openDisplay();
const data = dataFolder({ pace: 2 });
const failed = [];
let window;
try {
  window = await openNativeWindow(display, data);
  const shop = new Shop(window);
  await shop.opened();
  say(`The window stood after ${window.ready} ms. Playback and guidance run twice as fast as usual.`);
  await window.screenshot('native-open');

  for (const scenario of scenarios) {
    say(`\n${scenario.id}: ${scenario.title}`);
    const started = performance.now();
    try {
      await shop.tidy();
      await play(scenario, shop, { tell: (line) => say(`  - ${line}`) });
      say(`  reached its end in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    } catch (error) {
      failed.push(scenario.id);
      say(`  DID NOT reach its end: ${error.message}`);
      say(`  the window then: ${await window.screenshot(`native-${scenario.id}-failed`)}`);
    }
  }

  const code = await window.closeByPerson();
  say(`\nThe window was closed; the program ended with ${code}.`);
  if (code !== 0) failed.push('closing the window');
} catch (error) {
  failed.push('the window');
  say(error.message);
} finally {
  await window?.close();
  await display.close();
  data.remove();
}

say(`Screenshots: ${inRepo('build/screenshots')}/native-*.png`);
say(failed.length ? `FAILED: ${failed.join(', ')}` : `All ${scenarios.length} scenarios reached their end.`);
process.exit(failed.length ? 1 : 0);
