// The shop as an MCP server before the conformance suite of the protocol's authors, over HTTP. The suite brings no key, so a small door of the
// test's own adds it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { OpenShop } from '../lib/open-shop.mjs';

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

/** What applies to a server that has tools of its own: how many checks each makes at least. */
const applies = {
  'server-initialize': 1,
  'logging-set-level': 1,
  ping: 1,
  'tools-list': 1,
  'server-sse-multiple-streams': 2,
  'resources-list': 1,
  'prompts-list': 1,
  'dns-rebinding-protection': 2,
};

/** What asks for the tools, texts and prompts of a server that is made for the suite, and for which (docs/rooms/doors.md). */
const ofTheirs = {
  'tools-call-simple-text': 'test_simple_text',
  'tools-call-image': 'test_image_content',
  'tools-call-audio': 'test_audio_content',
  'tools-call-embedded-resource': 'test_embedded_resource',
  'tools-call-mixed-content': 'test_multiple_content_types',
  'tools-call-with-logging': 'test_tool_with_logging',
  'tools-call-error': 'test_error_handling',
  'tools-call-with-progress': 'test_tool_with_progress',
  'tools-call-sampling': 'test_sampling',
  'tools-call-elicitation': 'test_elicitation',
  'json-schema-2020-12': 'json_schema_2020_12_tool',
  'elicitation-sep1034-defaults': 'test_elicitation_sep1034_defaults',
  'elicitation-sep1330-enums': 'test_elicitation_sep1330_enums',
  'server-sse-polling': 'test_reconnection',
  'completion-complete': 'test_prompt_with_arguments',
  'resources-read-text': 'test://static-text',
  'resources-read-binary': 'test://static-binary',
  'resources-templates-read': 'test://template/',
  'resources-subscribe': 'test://watched-resource',
  'resources-unsubscribe': 'test://watched-resource',
  'prompts-get-simple': 'test_simple_prompt',
  'prompts-get-with-args': 'test_prompt_with_arguments',
  'prompts-get-embedded-resource': 'test_prompt_with_embedded_resource',
  'prompts-get-with-image': 'test_prompt_with_image',
};

/** A door that adds a key to what comes, and changes the name that a call is for only where that is its own. */
function keyed(t, address, key) {
  const { hostname, port, pathname: path, host } = new URL(address);
  const door = createServer((asked, answer) => {
    const own = `127.0.0.1:${door.address().port}`;
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    headers.host = headers.host.replace(/:\d+$/, '') === '127.0.0.1' ? host : headers.host;
    if (headers.host.startsWith('localhost')) headers.host = `localhost:${port}`;
    if (headers.origin?.endsWith(own)) headers.origin = `http://${host}`;
    const passed = request({ hostname, port, path, method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  t.after(() => (door.closeAllConnections(), door.close()));
  return new Promise((done) =>
    door.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${door.address().port}${path}`)),
  );
}

function run(args) {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  child.stderr.on('data', (text) => (said += text));
  return new Promise((done) => child.on('close', () => done(said)));
}

test('the shop passes the conformance suite as far as it applies', async (t) => {
  const shop = new OpenShop(t, { 'guests.open': true });
  const key = await shop.add({
    name: 'conformance',
    tools: ['calculator', 'note_add'],
    calls: 100,
    changes: 9,
  });
  const url = await keyed(t, (await shop.do('guests')).address, key);
  const into = mkdtempSync(join(tmpdir(), 'agentchat-e2e-'));
  t.after(() => rmSync(into, { recursive: true, force: true }));

  const known = (await run(['list', '--server'])).match(/(?<=^ *- )[a-z0-9-]+/gm);
  assert.deepEqual(known.toSorted(), Object.keys({ ...applies, ...ofTheirs }).toSorted());
  const said = await run(['server', '--url', url, '--suite', 'all', '--output-dir', into]);

  const results = {};
  for (const folder of readdirSync(into)) {
    const name = known.filter((scenario) => folder.includes(scenario)).sort((a, b) => b.length - a.length)[0];
    results[name] = JSON.parse(readFileSync(join(into, folder, 'checks.json'), 'utf8'));
  }
  const bad = (name) =>
    results[name].filter((check) => check.status === 'FAILURE' || check.status === 'WARNING');
  const passed = Object.values(results)
    .flat()
    .filter((check) => check.status === 'SUCCESS').length;
  t.diagnostic(
    `${passed} checks passed; ${Object.keys(ofTheirs).length} of ${known.length} scenarios do not apply`,
  );
  for (const [name, least] of Object.entries(applies)) {
    assert.ok(results[name], `${name} was not run: ${said}`);
    assert.deepEqual(bad(name), [], name);
    assert.ok(results[name].filter((check) => check.status === 'SUCCESS').length >= least, name);
  }
  // What does not apply fails for no other reason than that it is not here, and is answered as the protocol says.
  const notHere =
    /unknown (tool|prompt) .*test_|-32602: Resource not found|-32601: method not found|'json_schema_\w+' not found/;
  for (const name of Object.keys(ofTheirs)) {
    for (const check of bad(name).filter((one) => one.status === 'FAILURE')) {
      assert.match(check.errorMessage, notHere, `${name} does apply`);
    }
  }
});
