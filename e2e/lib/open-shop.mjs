// A shop without a window, for those who come in by its door: programs with a key, over a pipe or over HTTP.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { dataFolder, inRepo } from './paths.mjs';

export const program = inRepo('build/bin/agentchat-headless');

/** No line that is waited for takes so long, however slow the machine. */
const LINE_MS = 120_000;

/** A client over a pipe to the shop of an environment, as another program starts it. */
export async function pipeTo(t, env, key) {
  const client = new Client({ name: 'foreign', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: program,
      args: ['mcp'],
      env: { ...env, AGENTCHAT_MCP_KEY: key },
      stderr: 'ignore',
    }),
  );
  t.after(() => client.close());
  return client;
}

/** A shop without a window, and what it says. */
export class OpenShop {
  next = 0;

  constructor(t, settings) {
    this.folder = dataFolder({ 'guests.port': 0, ...settings });
    this.env = { ...process.env, ...this.folder.env };
    this.open();
    t.after(async () => {
      this.child.stdin.end();
      await this.ended;
      this.folder.remove();
    });
  }

  open() {
    this.lines = [];
    this.waiting = [];
    this.child = spawn(program, [], { env: this.env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = new Promise((done) => this.child.on('exit', done));
    createInterface({ input: this.child.stdout }).on('line', (text) => {
      this.lines.push(JSON.parse(text));
      this.waiting.forEach((look) => look());
    });
  }

  /** Ends it as a loss of power would; it can be opened again. */
  kill() {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  /** The first line from a place on that is meant. One that never comes ends the test, with what was said last. */
  line(what, is, from = 0) {
    return new Promise((done, failed) => {
      const over = (end, value) => {
        clearTimeout(limit);
        this.waiting = this.waiting.filter((other) => other !== look);
        end(value);
      };
      const look = () => {
        const found = this.lines.slice(from).find(is);
        if (found) over(done, found);
      };
      const limit = setTimeout(() => {
        const last = this.lines.slice(-8).map((l) => JSON.stringify(l).slice(0, 400));
        over(failed, new Error(`no line: ${what}. The last ones:\n${last.join('\n')}`));
      }, LINE_MS);
      this.waiting.push(look);
      look();
    });
  }

  async do(cmd, fields = {}) {
    const id = ++this.next;
    this.child.stdin.write(JSON.stringify({ cmd, id, ...fields }) + '\n');
    const { data } = await this.line(`the reply to ${cmd}`, (l) => l.kind === 'reply' && l.data.id === id);
    assert.ok(data.ok, `${cmd}: ${JSON.stringify(data.error)}`);
    return data.result;
  }

  async asked(from) {
    return (await this.line('a question', (l) => l.kind === 'ask.opened', from)).data;
  }

  approve(ask, more = {}) {
    return this.do('answer', { ask: ask.id, choice: 'approve', digest: ask.digest, ...more });
  }

  /** Lets a program in and gives its key. */
  async add(guest) {
    return (await this.do('guest_add', { guest })).key;
  }

  /** A client over a pipe. */
  pipe(t, key) {
    return pipeTo(t, this.env, key);
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
