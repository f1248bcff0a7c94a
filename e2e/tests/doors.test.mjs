// The shop as an MCP server, driven by a foreign client: the official one of npm, over a pipe and over HTTP.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { dataFolder, inRepo } from '../lib/paths.mjs';

const program = inRepo('build/bin/agentchat-headless');

/** A shop without a window, and what it says. */
class OpenShop {
  lines = [];
  waiting = [];
  next = 0;

  constructor(t, settings) {
    this.folder = dataFolder({ 'guests.port': 0, ...settings });
    this.env = { ...process.env, ...this.folder.env };
    this.child = spawn(program, [], { env: this.env, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise((done) => this.child.on('exit', done));
    createInterface({ input: this.child.stdout }).on('line', (text) => {
      this.lines.push(JSON.parse(text));
      this.waiting.forEach((look) => look());
    });
    t.after(async () => {
      this.child.stdin.end();
      await ended;
      this.folder.remove();
    });
  }

  /** The first line from a place on that is meant. */
  line(is, from = 0) {
    return new Promise((done) => {
      const look = () => {
        const found = this.lines.slice(from).find(is);
        if (!found) return;
        this.waiting = this.waiting.filter((other) => other !== look);
        done(found);
      };
      this.waiting.push(look);
      look();
    });
  }

  async do(cmd, fields = {}) {
    const id = ++this.next;
    this.child.stdin.write(JSON.stringify({ cmd, id, ...fields }) + '\n');
    const { data } = await this.line((l) => l.kind === 'reply' && l.data.id === id);
    assert.ok(data.ok, `${cmd}: ${JSON.stringify(data.error)}`);
    return data.result;
  }

  async asked(from) {
    return (await this.line((l) => l.kind === 'ask.opened', from)).data;
  }

  approve(ask, more = {}) {
    return this.do('answer', { ask: ask.id, choice: 'approve', digest: ask.digest, ...more });
  }

  /** Lets a program in and gives its key. */
  async add(guest) {
    return (await this.do('guest_add', { guest })).key;
  }

  /** A client over a pipe, as another program starts it. */
  async pipe(t, key) {
    const client = new Client({ name: 'foreign', version: '1' });
    const env = { ...this.env, AGENTCHAT_MCP_KEY: key };
    await client.connect(
      new StdioClientTransport({ command: program, args: ['mcp'], env, stderr: 'ignore' }),
    );
    t.after(() => client.close());
    return client;
  }

  /** A client over HTTP. */
  async http(t, key) {
    const { address } = await this.do('guests');
    const transport = new StreamableHTTPClientTransport(new URL(address), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    });
    const client = new Client({ name: 'foreign', version: '1' });
    await client.connect(transport);
    t.after(() => client.close());
    return { client, transport };
  }
}

const everything = { tools: ['calculator', 'note_add', 'transfer', 'movie', 'nav'], calls: 50, changes: 9 };

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
  await shop.line((l) => l.kind === 'tool.acquired' && l.data.tool === 'movie');

  let from = shop.lines.length;
  const waits = await client.callTool({ name: 'nav', arguments: { destination: '부산' } });
  const ask = await shop.asked(from);
  assert.equal(ask.kind, 'lock');
  assert.match(ask.jobTitle, /^Cursor · /);
  assert.equal(waits.structuredContent.status, 'waiting_for_person');
  const { tool: name, arguments: args } = waits.structuredContent.resume;
  const foreign = await other.callTool({ name, arguments: args });
  assert.equal(foreign.structuredContent.code, 'not_found', 'a ticket is nobody else’s');
  from = shop.lines.length;
  await shop.do('answer', { ask: ask.id, choice: 'cancel' });
  const end = await client.callTool({ name, arguments: args });
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
  const all = await Promise.all(Array.from({ length: 300 }, () => flood.callTool(calm)));
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
  assert.match((await reader.callTool(calm)).content[0].text, /2/, 'the shop goes on');
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
  const note = await client.callTool({ name: 'note_add', arguments: { text: 'mine' } });
  assert.equal(note.structuredContent.status, 'waiting_for_person', 'rules for oneself are not for others');
  await shop.asked(from);
  const gone = new Promise((done) => (client.onclose = done));
  const { guests } = await shop.do('guests');
  await shop.do('guest_remove', { guest: { id: guests[0].id } });
  await gone;
  await shop.line((l) => l.kind === 'job.state' && l.data.to === 'canceled', from);
});
