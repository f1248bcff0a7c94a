// A phone beside the computer: a browser of its own, which is paired with the shop by the link in the picture.
import { after } from 'node:test';

import { devices } from 'playwright-core';

import { launchBrowser } from './chromium-window.mjs';
import { patience } from './patience.mjs';

// Started when the first phone is wanted, and there for all files that this process runs (all.mjs).
let browser;
const launched = () => (browser ??= launchBrowser());
after(async () => (await browser)?.close());

/** A phone with a browser of its own, which accepted the certificate. */
export async function phone(t, options = {}) {
  const context = await (
    await launched()
  ).newContext({
    ...devices['iPhone 13'],
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(patience);
  t.after(() => context.close());
  const page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('console', (m) => m.type() === 'error' && page.complaints.push(`${m.text()} ${m.location().url}`));
  return page;
}

/** The link in the picture, at the address by which this computer calls itself. */
export async function link(window) {
  const { link: to } = await window.evaluate(
    async () => (await globalThis.go.main.App.InvitePhone()).ways[0],
  );
  return to.replace(/\/\/[^/]*:/u, '//127.0.0.1:');
}

/** A phone that is paired by the link that `at` gives. */
export async function paired(t, at, options) {
  const page = await phone(t, options);
  await page.goto(await at());
  await page.locator('form button').click();
  await page.locator('section').first().waitFor();
  await page.locator('#leave').waitFor();
  return page;
}

/** A question on the phone's page that takes an answer. */
export const card = (ask) => `[data-ready] [data-ask="${ask}"]`;
