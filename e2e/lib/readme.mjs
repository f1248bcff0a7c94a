// What README's pictures show: how the window comes to look so, and what of it is written down beside them.
import { inRepo } from './paths.mjs';
import { of } from './shop.mjs';

/** What stood in the pictures when they were taken, by the picture's name. */
export const shownFile = inRepo('docs/images/shown.json');

/** Each begins in a new shop, and calls `picture` where one is taken. */
export const scenes = [
  async (shop, picture) => {
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
  },
  async (shop, picture) => {
    await shop.goTo('toolbox');
    await shop.sees('the wall', of('rack'), { count: 3 });
    await picture('toolbox');
  },
];

/**
 * What a person would miss in an old picture: the names of what can be pressed or written in, the headings, and the colours and letters of the window.
 * Figures are left out, and so is what comes by itself: the lights, what plays, and what conversations are called.
 */
export function shownInPage() {
  const passing = '.board, .list, .playing, .progress, .chat > h1';
  const words = [...document.querySelectorAll('button, a, input, textarea, select, [role="tab"], h1, h2, h3')]
    .filter((e) => e.getClientRects().length > 0 && !e.closest(passing))
    .map((e) =>
      (e.getAttribute('aria-label') ?? e.textContent)
        .replace(/\s+/g, ' ')
        .replace(/\d[\d:.,]*/g, '#')
        .trim(),
    )
    .filter(Boolean);
  const style = getComputedStyle(document.documentElement);
  const look = [
    '--paper',
    '--sheet',
    '--ink',
    '--line',
    '--accent',
    '--green',
    '--yellow',
    '--led-bg',
    '--led-yellow',
    '--font',
    '--text-m',
    '--content',
  ];
  return {
    words: [...new Set(words)].sort(),
    look: look.map((name) => `${name}: ${style.getPropertyValue(name).replace(/\s+/g, ' ').trim()}`),
  };
}
