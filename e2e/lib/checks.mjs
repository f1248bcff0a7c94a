// What every page must stand: nothing serious for axe, nothing that scrolls sideways.
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';

export async function nothingSerious(page, where) {
  // There are no frames in the window, so nothing needs a second page to be put together in, as it is without legacy mode.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  const serious = violations.filter((v) => ['serious', 'critical'].includes(v.impact));
  const told = serious.flatMap((v) =>
    v.nodes.map((n) => `${v.id}: ${n.target.join(' ')}: ${n.failureSummary?.split('\n')[1]?.trim()}`),
  );
  assert.deepEqual(told, [], `axe on ${where}`);
}

export const overflows = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
