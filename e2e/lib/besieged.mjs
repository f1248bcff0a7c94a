// The window besieged: a hostile shop around it, and a watch over everything that could come of what that shop says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { dangersInPage, meddleInPage, takeLineInPage, tellInPage, watchInPage } from './hostile.mjs';
import { inRepo } from './paths.mjs';
import { visit } from './visit.mjs';

export const payloads = JSON.parse(readFileSync(inRepo('e2e/data/payloads.json'), 'utf8'));
export const chunks = (list, size) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
export const every = payloads.join('\n');
export const time = '2026-01-01T00:00:00Z';

/** Opens the window besieged. `nothingCameOf` fails the test when anything came of what stands in the places of a selector. */
export async function besieged(t, pages = []) {
  const { shop, window, page } = await visit(t);
  const home = page.url();
  const left = [];
  const gone = [];
  page.on(
    'request',
    (r) => !r.url().startsWith(home) && !/^(data|blob):/.test(r.url()) && left.push(r.url()),
  );
  page.on('framenavigated', (f) => gone.push(f.url()));
  page.context().on('page', (p) => gone.push(`a new page: ${p.url()}`));
  page.on('dialog', (d) => gone.push(`a dialog: ${d.message()}`) && d.dismiss());
  await page.evaluate(watchInPage);
  await page.evaluate(takeLineInPage);
  for (const name of pages) await shop.goTo(name);
  const settle = () => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => setTimeout(r))));
  const nothingCameOf = async (what, selector, expected = []) => {
    await page.waitForSelector(selector, { state: 'attached' });
    await settle();
    const links = await page.evaluate(meddleInPage, selector);
    await settle();
    const { places, found } = await page.evaluate(dangersInPage, selector);
    assert.ok(places > 0, `${what} must be there to be looked at`);
    assert.deepEqual(found, [], `${what}: nothing that could do something`);
    const { ran, called } = await page.evaluate(() => ({ ran: window.__ran, called: window.__called }));
    assert.deepEqual(ran, [], `${what}: no script ran`);
    // What the window does by itself: it tells who looks and how far one has read, reads what its side bar lists, reads on, and all anew where it fell behind.
    const known = [
      'SetFocused',
      'Looked',
      'KeepPlace',
      'Snapshot',
      'Models',
      'History',
      'DeletedChats',
      ...expected,
    ];
    assert.deepEqual(
      Object.keys(called).filter((name) => !known.includes(name)),
      [],
      `${what}: no bound method was called`,
    );
    assert.deepEqual(left, [], `${what}: nothing left for the network`);
    assert.deepEqual(gone, [], `${what}: the window went nowhere`);
    return { links, places };
  };
  const answer = (answers) => page.evaluate((a) => Object.assign(window.__answers, a), answers);
  return { shop, window, page, nothingCameOf, answer, tell: (...e) => page.evaluate(tellInPage, e) };
}
