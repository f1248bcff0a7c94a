// What leaves this computer stands on a page; one switch forbids it, and the light says so.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

/** An address of this machine that is not loopback: outside, by the shop's rule. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((a) => a.family === 'IPv4' && !a.internal)?.address;

const answer = JSON.stringify({
  query: 'q',
  results: [
    { url: 'https://example.org/tea', title: '녹차 이야기', content: '70도에서 우려요.', engine: 'x' },
    { url: 'https://example.com/water', title: '물의 온도', content: '<b>미지근한</b> 물', engine: 'x' },
  ],
});

async function searx(t) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader('Content-Type', 'application/json');
    response.end(answer);
  });
  await new Promise((ready) => server.listen(0, outside, ready));
  t.after(() => server.close());
  return { asked, address: `http://${outside}:${server.address().port}` };
}

for (const look of [
  { lang: 'ko', theme: 'light', viewport: { width: 720, height: 520 } },
  { lang: 'en', theme: 'dark', viewport: { width: 1280, height: 840 } },
]) {
  test(
    `what leaves, and the switch, ${look.lang}`,
    { skip: !outside && 'this machine has no other address' },
    async (t) => {
      const { asked, address } = await searx(t);
      const { shop, window, page } = await visit(t, {
        settings: { lang: look.lang, theme: look.theme },
        context: { viewport: look.viewport },
      });
      const ko = look.lang === 'ko';
      const words = ko ? '인터넷에서 녹차 우리는 법 찾아줘' : 'search the web for green tea brewing';
      const [off] = await shop.order(words);
      await shop.jobIs(off, 'failed');
      assert.equal(asked.length, 0);

      await shop.goTo('outbound');
      const form = page.getByTestId('web-search');
      await form.locator('select').selectOption('searxng');
      await form.locator('input[type=url]').fill(address);
      await form.locator('button[type=submit]').click();
      await shop.sees('the search is on', of('web-search', { service: 'searxng' }));
      await window.screenshot(`outbound-search-${look.lang}`);
      await shop.goTo('chat');
      const [found] = await shop.order(words);
      await shop.jobIs(found, 'succeeded');
      assert.equal(asked.length, 1);
      await page.getByText('https://example.org/tea').first().waitFor();
      await window.screenshot(`outbound-found-${look.lang}`);

      await shop.goTo('outbound');
      const entry = of('outbound-entry', { room: 'search', outcome: 'done' });
      await shop.sees('the search in the ledger', entry);
      await page.locator(`${entry} summary`).first().click();
      await page
        .locator(entry)
        .getByText(ko ? '녹차 우리는 법' : 'green tea brewing')
        .first()
        .waitFor();
      await nothingSerious(page, 'what left');
      await window.screenshot(`outbound-${look.lang}`);

      await page.getByTestId('offline-row').getByRole('switch').click();
      await shop.sees('the light on the page', of('outbound-now', { light: 'nothing' }));
      await shop.sees('the light in the window', of('offline-light', { light: 'nothing' }));
      await window.screenshot(`outbound-offline-${look.lang}`);
      await nothingSerious(page, 'offline');
      assert.equal(await overflows(page), false);
      await shop.goTo('chat');
      const [kept] = await shop.order(words);
      await shop.jobIs(kept, 'failed');
      assert.equal(asked.length, 1, 'nothing left');
      await shop.goTo('outbound');
      await shop.sees('what was kept back', of('outbound-entry', { room: 'search', outcome: 'refused' }));
      const selects = page.locator('[role=group] select');
      await selects.last().selectOption('refused');
      await shop.sees('the others gone', entry, { count: 0 });
      await page.getByTestId('offline-row').getByRole('switch').click();
      await shop.sees('the light out', of('offline-light'), { count: 0 });
    },
  );
}
