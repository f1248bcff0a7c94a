// The shop as an MCP server, driven by a foreign client: the official one of npm, over a pipe and over HTTP.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { OpenShop } from '../lib/open-shop.mjs';

const everything = { tools: ['calculator', 'note_add', 'transfer', 'movie', 'nav'], calls: 50, changes: 9 };

/** What became of a call: the client's patience may be over before a slow machine knows, and then it waits again. */
async function became(client, called) {
  let result = await called;
  while (['running', 'waiting'].includes(result.structuredContent?.status)) {
    const { tool, arguments: args } = result.structuredContent.resume;
    result = await client.callTool({ name: tool, arguments: args });
  }
  return result;
}

test('a foreign client uses what it was given, and a person decides', async (t) => {
  const shop = new OpenShop(t);
  const key = await shop.add({ name: 'Claude', ...everything });
  await assert.rejects(shop.pipe(t, key), 'the door is closed until it is opened');
  await shop.do('config', { set: { 'guests.open': true } });
  await assert.rejects(shop.pipe(t, 'no such key'));

  const client = await shop.pipe(t, key);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), [
    'calculator',
    'movie',
    'nav',
    'note_add',
    'wait_for_ticket',
  ]);
  const calculator = tools.find((tool) => tool.name === 'calculator');
  assert.equal(calculator.annotations.readOnlyHint, true);
  assert.equal(tools.find((tool) => tool.name === 'note_add').annotations.readOnlyHint, false);
  assert.doesNotMatch(JSON.stringify(tools), /"x-/);

  const sum = await client.callTool({ name: 'calculator', arguments: { expression: '3 + 4' } });
  assert.match(sum.content[0].text, /7/);
  assert.equal(sum.structuredContent.status, 'done');

  // What would change something waits for a person, who sees who asks; the caller hears of it.
  const from = shop.lines.length;
  const heard = [];
  let told;
  const waits = new Promise((done) => (told = done));
  const noted = client.callTool({ name: 'note_add', arguments: { text: '우유 사기' } }, undefined, {
    onprogress: (p) => (heard.push(p.message), /사람/.test(p.message) && told()),
  });
  const ask = await shop.asked(from);
  assert.match(ask.jobTitle, /^Claude · /);
  assert.deepEqual(
    (ask.scopes ?? []).map((s) => s.scope).filter((s) => s === 'always'),
    [],
  );
  await waits;
  await shop.approve(ask);
  assert.equal((await noted).structuredContent.status, 'done');
  assert.ok((await shop.do('notes')).notes.some((n) => /우유 사기/.test(JSON.stringify(n))));
  const entries = (await shop.do('audit')).entries.filter((e) => e.tool === 'note_add');
  assert.match(entries[0].chat, /^guest-/);

  const no = client.callTool({ name: 'note_add', arguments: { text: '아니' } });
  const second = await shop.asked(shop.lines.indexOf(shop.lines.findLast((l) => l.kind === 'ask.closed')));
  await shop.do('answer', { ask: second.id, choice: 'reject' });
  assert.equal((await no).structuredContent.status, 'called_off');
});

test('a taken tool asks with who wants it, and a short-lived caller comes back for its result', async (t) => {
  const shop = new OpenShop(t, { 'guests.open': true, 'guests.wait_seconds': 1 });
  const client = await shop.pipe(t, await shop.add({ name: 'Cursor', ...everything }));
  const other = await shop.pipe(t, await shop.add({ name: 'Zed', ...everything }));
  await shop.do('say', { text: '영화 틀어줘' });
  await shop.line('the tool has come', (l) => l.kind === 'tool.acquired' && l.data.tool === 'movie');

  let from = shop.lines.length;
  const waits = await became(client, client.callTool({ name: 'nav', arguments: { destination: '부산' } }));
  const ask = await shop.asked(from);
  assert.equal(ask.kind, 'lock');
  assert.match(ask.jobTitle, /^Cursor · /);
  assert.equal(waits.structuredContent.status, 'waiting_for_person');
  const { tool: name, arguments: args } = waits.structuredContent.resume;
  const foreign = await other.callTool({ name, arguments: args });
  assert.equal(foreign.structuredContent.code, 'not_found', 'a ticket is nobody else’s');
  from = shop.lines.length;
  await shop.do('answer', { ask: ask.id, choice: 'cancel' });
  const end = await became(client, client.callTool({ name, arguments: args }));
  assert.equal(end.structuredContent.status, 'called_off');
});

test('limits are counted by code, whatever the client does', async (t) => {
  const shop = new OpenShop(t, { 'guests.open': true, 'guests.wait_seconds': 1 });
  const calm = { name: 'calculator', arguments: { expression: '1 + 1' } };
  const nothing = await shop.pipe(t, await shop.add({ name: 'none', tools: [], calls: 0, changes: 0 }));
  assert.equal((await nothing.listTools()).tools.length, 1);
  await assert.rejects(nothing.callTool(calm), 'a tool that it was not given is not there');

  const reader = await shop.pipe(t, await shop.add({ name: 'reader', ...everything, changes: 0 }));
  const refused = await reader.callTool({ name: 'note_add', arguments: { text: 'x' } });
  assert.equal(refused.structuredContent.code, 'guest_limit');
  await assert.rejects(reader.callTool({ name: 'transfer', arguments: { target: '엄마', amount: 1 } }));

  const flood = await shop.pipe(t, await shop.add({ name: 'flood', ...everything, calls: 20 }));
  const all = await Promise.all(Array.from({ length: 300 }, () => became(flood, flood.callTool(calm))));
  const done = all.filter((r) => r.structuredContent.status === 'done').length;
  assert.ok(done > 0 && done <= 20, `${done} of 300 were done`);
  assert.ok(all.every((r) => ['done', 'refused'].includes(r.structuredContent.status)));
  const used = (await shop.do('guests')).guests.find((g) => g.name === 'flood');
  assert.equal(used.callsToday, done);

  const huge = await shop.pipe(t, await shop.add({ name: 'huge', ...everything }));
  await assert.rejects(
    Promise.race([
      huge.callTool({ name: 'calculator', arguments: { expression: '1'.repeat(3 << 20) } }),
      new Promise((_, no) => (huge.onclose = () => no(new Error('closed')))),
    ]),
  );
  const wrong = await reader.callTool({ name: 'calculator', arguments: { expression: 7, more: [] } });
  assert.equal(wrong.structuredContent.status, 'refused');
  const on = await became(reader, reader.callTool(calm));
  assert.match(on.content[0].text, /2/, 'the shop goes on');
});

test('files and money are counted when they are about to change, and none is let through beyond the limit', async (t) => {
  const shop = new OpenShop(t, { 'guests.open': true, 'guests.wait_seconds': 1 });
  const home = mkdtempSync(join(tmpdir(), 'agentchat-e2e-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const folder = join(home, 'papers');
  mkdirSync(folder);
  await shop.do('open_folder', { path: folder, write: true });
  const key = await shop.add({
    name: 'Cursor',
    tools: ['file_write', 'transfer'],
    calls: 50,
    changes: 50,
    files: 1,
    money: 15000,
  });
  const client = await shop.pipe(t, key);
  assert.ok((await client.listTools()).tools.some((tool) => tool.name === 'transfer'));
  const use = (name, args) => became(client, client.callTool({ name, arguments: args }));
  const write = (name) => use('file_write', { path: `papers/${name}`, text: 'hello' });
  const send = (amount) => use('transfer', { target: '엄마', amount });

  // Both are within the limit when they are handed in; the second finds nothing left when it is to run.
  let from = shop.lines.length;
  const one = await write('one.txt');
  const first = await shop.asked(from);
  from = shop.lines.length;
  const two = await write('two.txt');
  const second = await shop.asked(from);
  assert.equal(two.structuredContent.status, 'waiting_for_person');
  await shop.approve(first);
  await shop.approve(second);
  /** Here it waits no more for the person, who has answered. */
  const end = async (waiting) => {
    for (;;) {
      const { structuredContent } = await use('wait_for_ticket', waiting.structuredContent.resume.arguments);
      if (structuredContent.status !== 'waiting_for_person') return structuredContent;
    }
  };
  // Whichever is quicker is let through.
  const ends = [await end(one), await end(two)];
  const done = ends.findIndex(({ status }) => status === 'done');
  const over = ends[1 - done];
  assert.equal(over.code, 'guest_limit');
  assert.equal(over.limit.kind, 'files');
  assert.ok(new Date(over.limit.until) > new Date());
  assert.deepEqual(readdirSync(folder), [['one.txt', 'two.txt'][done]]);
  const third = (await write('three.txt')).structuredContent;
  assert.equal(third.status, 'refused');
  assert.equal(third.limit.kind, 'files');
  const { entries } = await shop.do('audit');
  assert.ok(
    entries.some((e) => e.tool === 'file_write' && e.by === 'limit' && e.outcome === 'denied'),
    'the refusal stands in the audit log',
  );

  const much = (await send(15001)).structuredContent;
  assert.equal(much.code, 'guest_limit');
  assert.equal(much.limit.kind, 'money');
  assert.match(much.message, /15000/);
  from = shop.lines.length;
  const sent = await send(10000);
  const money = await shop.asked(from);
  assert.ok(
    money.origins.some((o) => o.from === 'guest' && !o.trusted),
    'the person sees whose words these are',
  );
  assert.equal(money.tool, 'transfer');
  await shop.approve(money);
  assert.equal((await end(sent)).status, 'done');
  assert.equal((await send(5001)).structuredContent.limit.kind, 'money');
  const [used] = (await shop.do('guests')).guests;
  assert.deepEqual([used.filesToday, used.moneyToday], [1, 10000]);

  await shop.do('guest_change', { guest: { ...used, money: 0 } });
  const none = (await send(1)).structuredContent;
  assert.equal(none.code, 'unknown_tool', 'without an amount no money moves at all');
});

/** One bare request, with headers that a client of good manners would not send. */
function bare(address, headers, body) {
  const url = new URL(address);
  return new Promise((done, failed) => {
    const r = request(
      { host: url.hostname, port: url.port, path: url.pathname, method: 'POST', headers },
      (answer) => (answer.resume(), done(answer.statusCode)),
    );
    r.on('error', failed);
    r.end(body);
  });
}

test('over HTTP nobody comes in without a key, nor through a browser', async (t) => {
  const shop = new OpenShop(t, { 'guests.open': true });
  const key = await shop.add({ name: 'Claude', ...everything });
  const { client, transport } = await shop.http(t, key);
  const sum = await client.callTool({ name: 'calculator', arguments: { expression: '6 * 7' } });
  assert.match(sum.content[0].text, /42/);

  const { address, guests } = await shop.do('guests');
  const good = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const hello = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  });
  assert.equal(await bare(address, good, hello), 200);
  assert.equal(await bare(address, { ...good, Host: 'evil.example' }, hello), 403);
  assert.equal(await bare(address, { ...good, Host: `evil.example:${new URL(address).port}` }, hello), 403);
  assert.equal(await bare(address, { ...good, Origin: 'https://evil.example' }, hello), 403);
  assert.equal(await bare(address, { ...good, Origin: 'null' }, hello), 403);
  assert.equal(await bare(address, { ...good, Authorization: 'Bearer nothing' }, hello), 401);
  assert.equal(await bare(address, { ...good, Authorization: '' }, hello), 401);
  assert.ok((await bare(address, good, 'x'.repeat(2 << 20))) >= 400);

  // A session is of the key that began it.
  const other = await shop.add({ name: 'Zed', ...everything });
  const stolen = { ...good, Authorization: `Bearer ${other}`, 'Mcp-Session-Id': transport.sessionId };
  const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });
  assert.ok([403, 404].includes(await bare(address, stolen, list)));

  await shop.do('guest_remove', { guest: { id: guests[0].id } });
  assert.equal(await bare(address, good, hello), 401);
  await assert.rejects(client.callTool({ name: 'calculator', arguments: { expression: '1' } }));
  await shop.do('config', { set: { 'guests.open': false } });
  await assert.rejects(bare(address, good, hello));
});

test('what is allowed one program is allowed no other, and a removed one is out', async (t) => {
  const shop = new OpenShop(t, { 'guests.open': true, 'guests.wait_seconds': 1 });
  await shop.do('config', {
    set: { 'policy.rules': [{ tool: 'note_add', decision: 'allow' }], 'policy.mode': 'ask_matters' },
  });
  const client = await shop.pipe(t, await shop.add({ name: 'Claude', ...everything }));
  const from = shop.lines.length;
  const note = await became(client, client.callTool({ name: 'note_add', arguments: { text: 'mine' } }));
  assert.equal(note.structuredContent.status, 'waiting_for_person', 'rules for oneself are not for others');
  await shop.asked(from);
  const gone = new Promise((done) => (client.onclose = done));
  const { guests } = await shop.do('guests');
  await shop.do('guest_remove', { guest: { id: guests[0].id } });
  await gone;
  await shop.line('the job is cancelled', (l) => l.kind === 'job.state' && l.data.to === 'canceled', from);
});
