// What leaves this computer stands on a page; one switch forbids it, and the light says so.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { inRepo } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

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

/** A search server. With `silent` it takes what is asked and answers nothing. */
async function searx(t, { silent = false } = {}) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    if (silent) {
      server.emit('asked');
      request.on('close', () => server.emit('cut'));
      return;
    }
    response.setHeader('Content-Type', 'application/json');
    response.end(answer);
  });
  await new Promise((ready) => server.listen(0, outside, ready));
  t.after(() => server.close().closeAllConnections());
  const told = (what) => new Promise((resolve) => server.once(what, resolve));
  return { asked, told, address: `http://${outside}:${server.address().port}` };
}

for (const look of ways(
  [
    { lang: 'ko', theme: 'light', viewport: { width: 720, height: 520 } },
    { lang: 'en', theme: 'dark', viewport: { width: 1280, height: 840 } },
  ],
  import.meta.url,
)) {
  each(
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

/** The mcp.json that names a program of ours, which runs beside the shop and lends one tool. */
function lender(t) {
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-light-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'tools.json');
  const tool = { name: 'write_note', description: 'Writes a note.', inputSchema: { type: 'object' } };
  writeFileSync(file, JSON.stringify([tool]));
  const notes = { command: process.execPath, args: [inRepo('e2e/lib/outside-server.mjs'), file] };
  return JSON.stringify({ mcpServers: { notes } });
}

for (const lang of ways(['ko', 'en'], import.meta.url)) {
  each(`the light says whom the shop cannot watch, and puts itself right, ${lang}`, async (t) => {
    const { shop, window, page } = await visit(t, { settings: { lang } });
    const light = (state) => of('offline-light', { light: state });
    await shop.goTo('outbound');
    await shop.sees('that things may leave', of('outbound-now', { light: 'open' }));
    assert.equal((await shop.find(of('offline-light'))).length, 0, 'no light while things may leave');
    await page.getByTestId('offline-row').getByRole('switch').click();
    await shop.sees('the green light', light('nothing'));

    await page.evaluate((text) => window.go.main.App.SetMCP(text), lender(t));
    await shop.sees('the light that names a program', light('unseen'));
    const said = () => page.locator(of('offline-light')).getAttribute('aria-label');
    assert.match(await said(), /\(notes\)/);
    assert.match(await said(), lang === 'ko' ? /볼 수 없어요/ : /cannot/);
    await shop.sees('the same on the page', of('outbound-now', { light: 'unseen' }));
    await window.screenshot(`outbound-unseen-${lang}`);
    await nothingSerious(page, 'a light that is not green');
    await shop.goTo('chat');
    await window.click(light('unseen'));
    await shop.sees('the page it leads to', of('outbound-now', { light: 'unseen' }));

    await page.evaluate(() => window.go.main.App.SetMCP('{"mcpServers": {}}'));
    await shop.sees('the green light again', light('nothing'));
  });
}

test(
  'what is under way is cut when the switch is thrown, and the light is green when it is',
  { skip: !outside && 'this machine has no other address' },
  async (t) => {
    const { told, asked, address } = await searx(t, { silent: true });
    const { shop, page } = await visit(t, { settings: { lang: 'ko' } });
    await page.evaluate((a) => window.go.main.App.SetWebSearch('searxng', a, null), address);
    const [reached, cut] = [told('asked'), told('cut')];
    const [search] = await shop.order('인터넷에서 녹차 우리는 법 찾아줘');
    await reached;
    const going = () => page.evaluate(async () => (await window.go.main.App.OutboundState()).going);
    assert.equal(await going(), 1, 'it is on its way');

    // As long as the shop says that something goes the light is not green. It is over too soon to be looked at, so its answer is held.
    await page.evaluate(() => {
      window.__lights = [];
      new MutationObserver(() => {
        const now = document.querySelector('[data-testid="offline-light"]');
        if (now && window.__lights.at(-1) !== now.dataset.light) window.__lights.push(now.dataset.light);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
      const read = window.go.main.App.OutboundState;
      window.go.main.App.OutboundState = async () => {
        const state = await read();
        if (window.__held) return { ...state, offline: true, going: 1 };
        return state;
      };
      window.__held = true;
    });
    await page.evaluate(() => window.go.main.App.SetSettings({ offline: true }));
    await shop.sees('that it is being cut', of('offline-light', { light: 'cutting' }));
    await cut;
    await shop.jobIs(search, 'failed');
    assert.equal(asked.length, 1);
    assert.deepEqual(
      await page.evaluate(() => window.__lights),
      ['cutting'],
      'not green while something goes',
    );
    await page.evaluate(() => (window.__held = false));
    assert.equal(await going(), 0, 'nothing goes any more');
    await page.reload();
    await shop.opened();
    await shop.sees('the green light', of('offline-light', { light: 'nothing' }));
  },
);
