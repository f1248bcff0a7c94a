// Each page in light and dark, Korean and English: nothing serious for axe, nothing overflowing, and a picture of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const looks = [
  { name: 'light-ko', settings: { lang: 'ko', theme: 'light' } },
  { name: 'dark-en', settings: { lang: 'en', theme: 'dark' } },
];

/** Goes to a page and waits for it: the one before stays until it is there. */
async function goTo(shop, name) {
  await shop.goTo(name);
  await shop.sees(`the page ${name}`, `main[data-page="${name}"]`);
}

for (const look of ways(looks, import.meta.url)) {
  each(`an empty and a busy shop, ${look.name}`, async (t) => {
    const { shop, window, page } = await visit(t, {
      // What plays goes on for as long as the test takes, on a slow machine, too.
      settings: { ...look.settings, pace: 0.1 },
      context: { reducedMotion: 'reduce' },
    });
    await page.waitForFunction(({ lang, theme }) => {
      const { lang: is, dataset } = document.documentElement;
      return is === lang && dataset.theme === theme;
    }, look.settings);
    await window.screenshot(`gallery-${look.name}-empty`);
    await nothingSerious(page, 'the empty chat');

    const [nav] = await shop.order('목적지 A로 네비 켜줘');
    await shop.jobIs(nav, 'running');
    const [song] = await shop.order('노래 불러줘');
    await shop.jobIs(song, 'running');
    const [film] = await shop.order('영화도 틀어줘');
    await shop.questionOf(film);
    for (const name of await shop.pages()) {
      await goTo(shop, name);
      await window.screenshot(`gallery-${look.name}-${name}`);
      await nothingSerious(page, `${name}, ${look.name}`);
      assert.equal(await overflows(page), false, `${name} must not scroll sideways`);
    }
  });
}

test('a small window keeps everything in reach', async (t) => {
  const { shop, window, page } = await visit(t, { context: { viewport: { width: 720, height: 520 } } });
  for (const name of await shop.pages()) {
    await goTo(shop, name);
    assert.equal(await overflows(page), false, `${name} must not scroll sideways`);
    await window.screenshot(`gallery-small-${name}`);
  }
});

test('language and theme change live and stay', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko', theme: 'light' } });
  const shows = (lang, theme) =>
    page.waitForFunction(
      ([l, d]) => document.documentElement.lang === l && document.documentElement.dataset.theme === d,
      [lang, theme],
    );
  await shows('ko', 'light');
  await window.click(of('lang-switch'));
  await shows('en', 'light');
  await window.click(of('theme-switch'));
  await shows('en', 'dark');
  // On the screen it changes at once; it stays when the shop has it, and each of the two goes there by itself.
  await finds(page, async () => {
    const settings = await globalThis.go.main.App.Settings();
    const is = (key, value) => settings.some((s) => s.key === key && s.value === value);
    return is('lang', 'en') && is('theme', 'dark');
  });
  await page.reload();
  await shop.opened();
  await shows('en', 'dark');
});

test('with reduced motion nothing blinks', async (t) => {
  const { shop, page } = await visit(t, { context: { reducedMotion: 'reduce' } });
  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.jobIs(nav, 'running');
  const [film] = await shop.order('영화도 틀어줘');
  await shop.sees('the waiting tile', of('waiting-tile', { job: film }));
  const endless = await page.evaluate(
    () =>
      document
        .getAnimations()
        .filter((a) => a.playState === 'running' && a.effect?.getTiming().iterations === Infinity).length,
  );
  assert.equal(endless, 0);
});
