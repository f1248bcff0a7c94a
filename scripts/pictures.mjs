// Takes the pictures of README anew: the real window on a virtual display, with a customer's errands in it.
import { copyFileSync } from 'node:fs';

import { openDisplay } from '../e2e/lib/display.mjs';
import { openNativeWindow } from '../e2e/lib/native-window.mjs';
import { dataFolder, inRepo } from '../e2e/lib/paths.mjs';
import { of, Shop } from '../e2e/lib/shop.mjs';

const display = await openDisplay();

/** Opens the window on a new data folder and lets it be looked at. */
async function visit(look) {
  const data = dataFolder();
  const window = await openNativeWindow(display, data);
  try {
    const shop = new Shop(window);
    await shop.opened();
    await look(shop, async (name) => {
      copyFileSync(await window.screenshot(name), inRepo(`docs/images/${name}.png`));
      process.stdout.write(`docs/images/${name}.png\n`);
    });
  } finally {
    await window.close();
    data.remove();
  }
}

try {
  await visit(async (shop, picture) => {
    const [sum] = await shop.order('3만5천 나누기 7은?');
    await shop.jobIs(sum, 'succeeded');
    const [nav] = await shop.order('부산역까지 길 안내해줘');
    await shop.jobIs(nav, 'running');
    const [song] = await shop.order('노래 불러줘');
    await shop.jobIs(song, 'running');
    await shop.openDock();
    await shop.sees('the deck', of('deck'));
    await picture('window');
    await shop.questionOf((await shop.order('강릉까지 길 안내해줘'))[0]);
    await shop.sees('its buttons', 'button[data-choice="wait"]:not(:disabled)');
    await picture('lock');
  });
  await visit(async (shop, picture) => {
    await shop.goTo('toolbox');
    await shop.sees('the wall', of('rack'), { count: 3 });
    await picture('toolbox');
  });
} finally {
  await display.close();
}
