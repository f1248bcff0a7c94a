// What every page must stand: nothing serious for axe, nothing that scrolls sideways.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** What is wrong and weighs enough. A rule gives its weight to all it finds, so those that weigh less are not gone through. */
async function seriousInPage() {
  // What fades in or out has the contrast of neither end; what goes on for ever is looked at as it is.
  const passing = () =>
    document
      .getAnimations()
      .filter((a) => a.playState === 'running' && a.effect?.getComputedTiming().endTime !== Infinity);
  for (let moving = passing(); moving.length > 0; moving = passing()) {
    await Promise.allSettled(moving.map(({ finished }) => finished));
  }
  const heavy = ['serious', 'critical'];
  const light = window.axe._audit.rules.filter(({ impact }) => impact && !heavy.includes(impact));
  const { violations } = await window.axe.run(document, {
    resultTypes: ['violations'],
    rules: Object.fromEntries(light.map(({ id }) => [id, { enabled: false }])),
  });
  return violations
    .filter((v) => heavy.includes(v.impact))
    .flatMap((v) =>
      v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary?.split('\n')[1]?.trim()}`),
    );
}

export async function nothingSerious(page, where) {
  // It stays in a page until that is loaded anew.
  if (await page.evaluate(() => !window.axe)) await page.evaluate(axe);
  assert.deepEqual(await page.evaluate(seriousInPage), [], `axe on ${where}`);
}

export const overflows = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
