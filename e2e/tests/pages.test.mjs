// Each page in light and dark, Korean and English: nothing serious for axe, nothing overflowing, and a picture of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';

import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const looks = [
  { name: 'light-ko', settings: { lang: 'ko', theme: 'light' } },
  { name: 'dark-en', settings: { lang: 'en', theme: 'dark' } },
];
const pages = ['chat', 'toolbox', 'logs', 'settings'];

async function nothingSerious(page, where) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter((v) => ['serious', 'critical'].includes(v.impact));
  const told = serious.flatMap((v) =>
    v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary?.split('\n')[1]?.trim()}`),
  );
  assert.deepEqual(told, [], `axe on ${where}`);
}

const overflows = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

for (const look of looks) {
  test(`an empty and a busy shop, ${look.name}`, async (t) => {
    const { shop, window, page } = await visit(t, {
      settings: look.settings,
      context: { reducedMotion: 'reduce' },
    });
    await nothingSerious(page, 'the empty chat');
    await window.screenshot(`gallery-${look.name}-empty`);

    const [nav] = await shop.order('목적지 A로 네비 켜줘');
    await shop.jobIs(nav, 'running');
    const [song] = await shop.order('노래 불러줘');
    await shop.jobIs(song, 'running');
    const [film] = await shop.order('영화도 틀어줘');
    await shop.questionOf(film);
    for (const name of pages) {
      await shop.goTo(name);
      await nothingSerious(page, `${name}, ${look.name}`);
      assert.equal(await overflows(page), false, `${name} must not scroll sideways`);
      await window.screenshot(`gallery-${look.name}-${name}`);
    }
  });
}

test('a small window keeps everything in reach', async (t) => {
  const { shop, window, page } = await visit(t, { context: { viewport: { width: 720, height: 520 } } });
  for (const name of pages) {
    await shop.goTo(name);
    assert.equal(await overflows(page), false, `${name} must not scroll sideways`);
    await window.screenshot(`gallery-small-${name}`);
  }
});

test('language and theme change live and stay', async (t) => {
  const { shop, page } = await visit(t);
  await shop.goTo('settings');
  const lang = () => page.evaluate(() => document.documentElement.lang);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await lang(), 'ko');
  await page.locator(of('lang-switch')).getByText('English').click();
  await page.waitForFunction(() => document.documentElement.lang === 'en');
  await page.locator(of('theme-switch')).getByText('Dark').click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await page.reload();
  await shop.sees('the window again', of('nav-settings'));
  await page.waitForFunction(
    () => document.documentElement.lang === 'en' && document.documentElement.dataset.theme === 'dark',
  );
  assert.deepEqual([await lang(), await theme()], ['en', 'dark']);
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
