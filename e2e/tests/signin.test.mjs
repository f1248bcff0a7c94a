// Signing in to an outside server: a real authorization server, the shop's window, and the person's browser beside it.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { Child } from '../lib/children.mjs';
import { inRepo } from '../lib/paths.mjs';
import { patience } from '../lib/patience.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const tools = [{ name: 'read_notes', description: 'Reads the notebook.', inputSchema: { type: 'object' } }];

/** Polls a value that another program writes. */
async function comes(look) {
  for (;;) {
    const seen = look();
    if (seen) return seen;
    await new Promise((r) => setTimeout(r, 20));
  }
}

/** The authorization server, in a process of its own. */
async function authority(t) {
  const child = new Child(process.execPath, [inRepo('e2e/lib/authority.mjs')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  t.after(() => child.stop());
  return comes(() => /"issuer":"([^"]+)"/.exec(child.output)?.[1]);
}

/** An MCP server that lends its tools only to who shows a token that is meant for it. */
async function guarded(t, issuer) {
  const good = async (token, resource) => {
    const answer = await fetch(`${issuer}/token/introspection`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('resource-server:resource-server-secret')}` },
      body: new URLSearchParams({ token }),
    });
    const { active, aud } = await answer.json();
    return active && aud === resource;
  };
  const server = createServer(async (req, res) => {
    const home = `http://127.0.0.1:${server.address().port}`;
    const json = (status, body, headers = {}) =>
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    if (req.url === '/.well-known/oauth-protected-resource/mcp')
      return json(200, {
        resource: `${home}/mcp`,
        authorization_servers: [issuer],
        scopes_supported: ['notes'],
      });
    if (req.url !== '/mcp') return json(404, {});
    const [, token] = /^Bearer (.+)$/.exec(req.headers.authorization ?? '') ?? [];
    if (!token || !(await good(token, `${home}/mcp`)))
      return json(
        401,
        {},
        { 'www-authenticate': `Bearer resource_metadata="${home}/.well-known/oauth-protected-resource/mcp"` },
      );
    if (req.method !== 'POST') return json(405, {});
    let text = '';
    for await (const part of req) text += part;
    const { id, method, params } = JSON.parse(text);
    if (id === undefined) return res.writeHead(202).end();
    const answers = {
      initialize: () => ({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      }),
      'tools/list': () => ({ tools }),
    };
    json(200, { jsonrpc: '2.0', id, result: answers[method]?.() ?? {} });
  });
  await new Promise((r) => server.listen(0, '127.0.0.1', r));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/mcp`;
}

/** A folder whose xdg-open writes down what it should open. */
function ownBrowser(t) {
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-browser-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const opened = join(folder, 'opened');
  writeFileSync(
    join(folder, 'xdg-open'),
    `#!/bin/sh\nprintf '%s' "$1" > '${opened}.new'\nmv '${opened}.new' '${opened}'\n`,
  );
  chmodSync(join(folder, 'xdg-open'), 0o755);
  return {
    env: { PATH: `${folder}:${process.env.PATH}` },
    opened: async () => {
      const address = await comes(() => existsSync(opened) && readFileSync(opened, 'utf8'));
      rmSync(opened);
      return address;
    },
  };
}

for (const [lang, theme, width, height] of ways(
  [
    ['ko', 'light', 1280, 840],
    ['en', 'dark', 720, 520],
  ],
  import.meta.url,
)) {
  each(`a person signs in to an outside server (${lang}, ${theme})`, async (t) => {
    const say = (ko, en) => (lang === 'ko' ? ko : en);
    const issuer = await authority(t);
    const url = await guarded(t, issuer);
    const { env, opened } = ownBrowser(t);
    const { shop, window, page } = await visit(t, { settings: { lang, theme }, env });
    await page.setViewportSize({ width, height });
    await shop.goTo('outside');
    await page.getByTestId('paste-outside').fill(url);
    await page.getByRole('button', { name: say('읽어 보기', 'Read it') }).click();
    const card = page.getByTestId('proposal').filter({ hasText: url });
    await card.getByLabel(say('이름', 'Name')).fill('notes');
    await card.getByRole('button', { name: say('이 주소에 연결하기', 'Connect to this address') }).click();

    const server = (state) => of('outside-server', { server: 'notes', state });
    const signIn = page
      .getByTestId('sign-in')
      .getByRole('button', { name: say('notes에 로그인', 'Sign in to notes') });
    await shop.sees('a server that wants a sign-in', server('needs_sign_in'));
    await page.locator(server('needs_sign_in')).scrollIntoViewIfNeeded();
    await nothingSerious(page, 'a server that wants a sign-in');
    await window.screenshot(`signin-needed-${lang}`);

    // Stopped, and declined: the server waits on, and says so.
    await signIn.click();
    await opened();
    await shop.sees('a person in the browser', of('sign-in', { state: 'waiting' }));
    await page
      .getByTestId('sign-in')
      .filter({ hasText: new URL(issuer).host })
      .waitFor();
    await nothingSerious(page, 'a person in the browser');
    await window.screenshot(`signin-waiting-${lang}`);
    await page
      .getByTestId('sign-in')
      .getByRole('button', { name: say('그만두기', 'Stop') })
      .click();
    await shop.sees('a sign-in that was stopped', of('sign-in', { state: 'needed' }));

    const outside = await page.context().browser().newContext();
    t.after(() => outside.close());
    outside.setDefaultTimeout(patience);
    const browser = await outside.newPage();
    await signIn.click();
    await browser.goto(await opened());
    await browser.getByRole('link', { name: /cancel/i }).click();
    await browser.getByText('You are not signed in.').waitFor();
    const notices = page.getByRole('region', { name: say('알림', 'Notes'), exact: true });
    await notices.getByText(say('로그인을 허락하지 않으셔서', 'You declined in the browser')).waitFor();
    await shop.sees('a sign-in that was declined', of('sign-in', { state: 'needed' }));

    await signIn.click();
    await browser.goto(await opened());
    await browser.getByPlaceholder('Enter any login').fill('kim');
    await browser.getByPlaceholder('and password').fill('kim');
    await browser.getByRole('button', { name: 'Sign-in' }).click();
    await browser.getByRole('button', { name: 'Continue' }).click();
    await browser.getByText('Go back to Agent Chat.').waitFor();
    await shop.sees('a server that needs consent', server('needs_consent'));
    await page
      .getByTestId('signed-in')
      .filter({ hasText: new URL(issuer).host })
      .waitFor();
    await page.getByTestId('consent').click();
    await shop.sees('a server that is ready', server('ready'));
    await window.screenshot(`signin-done-${lang}`);
    await nothingSerious(page, 'a server that is signed in to');
    assert.equal(await overflows(page), false);

    await page.getByRole('button', { name: say('notes에서 로그아웃', 'Sign out of notes') }).click();
    await shop.sees('a server that wants a sign-in again', server('needs_sign_in'));
    await finds(page, async () =>
      (await window.go.main.App.Tools()).every((s) => !s.key.includes('notes__')),
    );
  });
}
