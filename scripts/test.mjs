// Runs every test there is, in two lanes side by side, and says plainly what passed. `scripts/setup.sh test` comes first.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

const tags = 'desktop,production,webkit2_41';
const logs = 'build/cache/test';

/** Counts the tests of `go test -json`, and turns its records back into the lines a person reads. */
function goTests(output) {
  const count = { passed: 0, failed: 0, lines: [], trouble: [] };
  const wrote = new Map();
  const skipped = new Map(); // how many tests, by the reason
  const running = new Set();
  for (const line of output.split('\n')) {
    if (!line.startsWith('{')) {
      if (line) count.trouble.push(line);
      continue;
    }
    const { Action: action, Package: name, Test: test, Output: text, ImportPath: built } = JSON.parse(line);
    const key = test ? `${name} ${test}` : (name ?? built);
    if (text) wrote.set(key, (wrote.get(key) ?? '') + text);
    if (action === 'build-output') count.trouble.push(text.trimEnd());
    if (test && action === 'run') running.add(key);
    if (test && ['pass', 'fail', 'skip'].includes(action)) running.delete(key);
    if (test && (action === 'pass' || action === 'fail')) count[action === 'pass' ? 'passed' : 'failed']++;
    if (test && action === 'skip') {
      const reason = /^\s+\w+\.go:\d+: (.+)$/m.exec(wrote.get(key) ?? '')?.[1] ?? 'no reason given';
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    }
    // A package that was stopped in the middle says where under a test that was running, and that test never ends.
    const cut = action === 'fail' && !test ? [...running].filter((each) => each.startsWith(`${name} `) && wrote.get(each)?.includes('\npanic: ')) : [];
    for (const each of cut) count.trouble.push(`${each} never ended:`, (wrote.get(each) ?? '').slice(0, 8000).trimEnd());
    if (action === 'fail') count.trouble.push((wrote.get(key) ?? '').trimEnd());
    if (!test && action === 'output' && /^(ok|FAIL|---|panic)\b/.test(text)) count.lines.push(text.trimEnd());
  }
  for (const [reason, tests] of skipped) count.lines.push(`SKIPPED ${tests} tests: ${reason}`);
  return count;
}

const vitest = (output) => ({
  passed: Number(/Tests .*?(\d+) passed/.exec(output)?.[1] ?? 0),
  failed: Number(/Tests .*?(\d+) failed/.exec(output)?.[1] ?? 0),
});

const nodeTests = (output) => ({
  passed: Number(/^ℹ pass (\d+)/m.exec(output)?.[1] ?? 0),
  failed: Number(/^ℹ fail (\d+)/m.exec(output)?.[1] ?? 0),
});

const node = (...files) => ['node', '--test', '--test-reporter=spec', '--test-concurrency=1', '--test-timeout=600000', ...files];

const frontendBuilt = 'the frontend builds';

const lanes = [
  [
    // The engine of the ledger is C turned into Go: watching its every access costs several times what all the rest does, and
    // would find nothing of ours. Its driver is watched, and so are the locks it takes. All is vetted once, below. It takes the
    // processor that is left over: a window beside it answers as it does on a desk, and these tests wait for signs, not for time.
    { name: 'go test -race', command: ['nice', '-n', '15', 'go', 'test', '-race', '-vet=off', '-gcflags=modernc.org/sqlite/lib=-race=false', '-timeout', '45m', '-json', './backend/...', './cmd/...'], count: goTests },
    // What compiles package main embeds the built frontend, so it must not be rebuilt meanwhile.
    { name: 'go vet', command: ['go', 'vet', '-tags', tags, './...'], after: frontendBuilt },
    // With the extractor's tests that measure what a file takes: under the race detector they are not built.
    { name: 'go test, the window', command: ['go', 'test', '-vet=off', '-json', '-tags', tags, '.', './backend/library/extract'], count: goTests },
    // What is measured on whole sets takes too long under the race detector.
    { name: 'go test, the frozen sets', command: ['go', 'test', '-vet=off', '-json', '-run', '^TestFrozen', './backend/shop'], count: goTests },
    { name: 'headless builds without cgo', command: ['make', 'headless'] },
    { name: 'the Windows window builds', command: ['make', 'windows'] },
  ],
  [
    { name: 'setup on other computers', command: node('scripts/setup.test.mjs'), count: nodeTests },
    { name: 'bindings are what Go says', command: ['node', 'scripts/bindings.mjs', '--check'] },
    { name: 'frontend types', command: ['npm', '--prefix', 'frontend', 'run', '--silent', 'check'] },
    { name: 'frontend style', command: ['npm', '--prefix', 'frontend', 'run', '--silent', 'lint'] },
    { name: 'frontend tests', command: ['npm', '--prefix', 'frontend', 'run', '--silent', 'test'], count: vitest },
    { name: frontendBuilt, command: ['make', 'frontend'] },
    { name: 'the window builds', command: ['make', 'build', 'build/bin/agentchat-dev', 'build/bin/agentchat-moved'] },
    { name: 'the window in Chromium', command: node('e2e/tests/'), count: nodeTests },
    { name: 'the native window', command: node('e2e/native/'), count: nodeTests },
  ],
];

const say = (line) => process.stdout.write(`${line}\n`);
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Runs a section with its output kept aside. Colours off, so that counts can be read from it. */
function run([command, ...args]) {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1' };
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ output: error.message, ok: false }));
    child.on('close', (code) => resolve({ output, ok: code === 0 }));
  });
}

const finished = new Map();
const total = { passed: 0, failed: 0 };

async function section({ name, command, count, after }) {
  if (after) await finished.get(after).promise;
  const began = performance.now();
  say(`      ${name} …`);
  const { output, ok } = await run(command);
  writeFileSync(`${logs}/${name.replace(/\W+/g, '-')}.log`, output);
  const counted = count?.(output) ?? { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  // A section that failed without a failed test (it did not compile, say) still counts as one failure.
  if (!ok && counted.failed === 0) counted.failed = 1;
  total.passed += counted.passed;
  total.failed += counted.failed;
  const lines = ok ? (counted.lines ?? []) : (counted.trouble ?? output.split('\n').slice(-80));
  say(`${ok ? 'pass' : 'FAIL'}  ${name}: ${counted.passed} passed, ${counted.failed} failed (${seconds(began)})`);
  lines.filter(Boolean).forEach((line) => say(`      ${line}`));
  finished.get(name).resolve();
  return ok;
}

mkdirSync(logs, { recursive: true });
for (const { name } of lanes.flat()) {
  let resolve;
  finished.set(name, { promise: new Promise((r) => (resolve = r)), resolve });
}
const began = performance.now();
const results = await Promise.all(
  lanes.map(async (lane) => {
    const ok = [];
    for (const each of lane) ok.push(await section(each));
    return ok.every(Boolean);
  }),
);
say(`\n${total.passed} passed, ${total.failed} failed (${seconds(began)}; full output in ${logs}/)`);
process.exit(results.every(Boolean) && total.failed === 0 ? 0 : 1);
