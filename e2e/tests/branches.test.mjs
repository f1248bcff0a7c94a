// A second shop lends its calculator through a connection that is cut while either side is killed: one answer, and one story in both audit logs.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { freePort } from '../lib/net.mjs';
import { dataFolder, inRepo } from '../lib/paths.mjs';
import { Wire } from '../lib/wire.mjs';

const program = inRepo('build/bin/agentchat-headless');

/** A shop without a window, which can be killed and opened again. */
class OpenShop {
  next = 0;

  constructor(t, settings) {
    this.folder = dataFolder(settings);
    this.open();
    t.after(async () => {
      await this.kill();
      this.folder.remove();
    });
  }

  open() {
    this.lines = [];
    this.waiting = [];
    const env = { ...process.env, ...this.folder.env };
    this.child = spawn(program, [], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = new Promise((done) => this.child.on('exit', done));
    createInterface({ input: this.child.stdout }).on('line', (text) => {
      this.lines.push(JSON.parse(text));
      this.waiting.forEach((look) => look());
    });
  }

  kill() {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  /** The first line that is meant. */
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

  /** Has a program with a key call a tool, and does not wait for it. */
  async calls(key, name, args) {
    const env = { ...process.env, ...this.folder.env, AGENTCHAT_MCP_KEY: key };
    const client = new Client({ name: 'foreign', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: program, args: ['mcp'], env, stderr: 'ignore' }),
    );
    client.callTool({ name, arguments: args }).catch(() => {}); // the shop is killed before it answers
  }

  /** Waits until the other shop is in a state. */
  async sees(state) {
    for (;;) {
      const from = this.lines.length;
      const { branches } = await this.do('branches');
      if (branches.some((b) => b.state === state)) return;
      await this.line((l) => l.kind === 'branches.changed', from);
    }
  }

  /** What the audit log tells: the outcome and values of each use, by its name. */
  async story() {
    const { entries } = await this.do('audit', { limit: 100 });
    return Object.fromEntries(entries.map((e) => [e.id, [e.outcome, e.args]]));
  }
}

test('a branch lends its calculator through a cut connection', async (t) => {
  const at = async (name) => ({
    'branches.address': '127.0.0.1',
    'branches.port': await freePort(),
    'branches.name': name,
  });
  const far = new OpenShop(t, await at('Attic'));
  const near = new OpenShop(t, await at('Shop'));
  assert.deepEqual((await far.do('branches')).addresses, [], 'it listens before it is asked to');

  const { addresses, code } = await far.do('branch_invite', {
    guest: { tools: ['calculator'], calls: 100 },
  });
  const wire = new Wire();
  t.after(() => wire.close());
  await near.do('branch_join', { address: await wire.to(addresses[0]), code });
  await near.sees('here');

  // The call comes of a program of the near shop's own, over its MCP door.
  await near.do('config', { set: { 'guests.open': true } });
  const { key } = await near.do('guest_add', {
    guest: { name: 'Client', tools: ['attic__calculator'], calls: 9 },
  });
  wire.cut();
  await near.sees('away');
  await near.calls(key, 'attic__calculator', { expression: '12 * 12' });
  const ask = (await near.line((l) => l.kind === 'ask.opened')).data;
  await near.do('answer', { ask: ask.id, choice: 'approve', digest: ask.digest });
  const waits = (l) => l.kind === 'job.state' && l.data.to === 'waiting' && /Attic/u.test(l.data.reason);
  await near.line(waits);

  // Both are killed and come back; then the connection is mended, and cut once more in the middle.
  await near.kill();
  await far.kill();
  far.open();
  near.open();
  await far.do('branches');
  await near.sees('away');
  wire.mend();
  await far.line((l) => l.kind === 'job.created');
  wire.cut();
  await near.kill();
  near.open();
  wire.mend();

  const over = (l) => l.kind === 'job.report' && /144/u.test(l.data.text);
  await near.line(over);
  const [here, there] = [await near.story(), await far.story()];
  assert.equal(Object.keys(there).length, 1, JSON.stringify(there));
  assert.deepEqual(here, there, 'both audit logs tell one story');
  assert.equal(Object.values(here)[0][0], 'done');
});
