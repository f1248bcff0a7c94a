// Runs the tests in lanes side by side, and says plainly what passed. `scripts/setup.sh test` comes first. Alone it goes through all
// tests, the long suites by a part of them (backend/testing/breadth) and the window in one way of several (e2e/lib/ways.mjs); `beyond` goes
// through what that leaves out: the whole of those suites, the other ways, the race detector on everything, and the window for Windows.
// `all` does both.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { packages } from './concurrent.mjs';

// Whatever Go builds here is built as the headless front is (the Makefile hands over how), what the window's tests start too, so that what
// they have in common is compiled once. `make` knows by itself, and the race detector needs a kind of its own, of the originals.
const small = (process.env.SMALL ?? '').split(' ').filter(Boolean).map((flag) => flag.replace('=build/', `=${process.cwd()}/build/`)); // tests run in folders of their own
const lean = 'nethttpomithttp2';
const asPrograms = { CGO_ENABLED: '0', GOFLAGS: [process.env.GOFLAGS ?? '', ...small.map((flag) => `'${flag}'`), `-tags=${lean}`].join(' ') };
const asTheWindow = { ...asPrograms, CGO_ENABLED: '1' };
const tags = `desktop,production,webkit2_41,${lean},lean`;
const logs = 'build/cache/test';
const claims = { some: `${logs}/claims`, others: `${logs}/claims-others` }; // which file of the window's tests somebody has taken

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

/** Counts the tests of Node's runner. What was skipped is said with its reason, however quietly the runner did so. */
function nodeTests(output) {
  const skipped = new Map();
  for (const [, reason] of output.matchAll(/^\s*﹣ .* \([\d.]+ms\) # (.+)$/gm)) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  skipped.delete("'only' option not set"); // they run where all tests do
  const [, failures] = output.split('\n✖ failing tests:\n');
  return {
    passed: Number(/^ℹ pass (\d+)/m.exec(output)?.[1] ?? 0),
    failed: Number(/^ℹ fail (\d+)/m.exec(output)?.[1] ?? 0),
    lines: [...skipped].map(([reason, tests]) => `SKIPPED ${tests} tests: ${reason}`),
    trouble: failures?.replaceAll(/^\s+at .*(node:|node_modules).*\n/gm, '').split(/\n(?=test at )/),
  };
}

const node = (...args) => ['node', '--test', '--test-reporter=spec', '--test-concurrency=1', '--test-timeout=600000', ...args];

const frontendBuilt = 'the frontend builds';
const headlessBuilt = 'headless builds without cgo';
const buildsTheWindow = { name: 'the window builds', command: ['make', 'build', 'build/bin/agentchat-dev', 'build/bin/agentchat-moved'] };
const buildsHeadless = { name: headlessBuilt, command: ['make', 'headless'] };

// A window waits half of its time: for a frame, for a key to arrive, for the shop. Two lanes share the files between them, whoever is free takes the next.
const inChromium = (name, WAYS = 'some', ...args) => ({
  ...{ name, command: ['node', ...args, '--test-reporter=spec', 'e2e/all.mjs', 'tests'], count: nodeTests },
  env: { ...asPrograms, CLAIMS: claims[WAYS], WAYS },
});

// The engine of the ledger is C turned into Go: watching its every access costs several times what all the rest does, and would find
// nothing of ours. Its driver is watched, and so are the locks it takes. The tray's library counts its menu's versions (one number) beside
// their reader, which only has a desktop ask once more. What a linter says of the code, vet's word too, is `make lint`'s.
const unlinted = ['-trimpath', '-vet=off', '-json', '-timeout', '45m'];
const unwatchedParts = ['modernc.org/sqlite/lib', 'fyne.io/systray'].map((path) => `-gcflags=${path}=-race=false`);
const race = ['-race', ...unwatchedParts, ...unlinted];
const { watched, unwatched, long } = packages();

// These take the processor that is left over: a window beside them answers as it does on a desk. They wait for signs, not for time, and so
// several packages at once, however few processors there are.
const go = (name, env, ...args) => ({ name, env, command: ['nice', '-n', '15', 'go', 'test', '-p', '4', ...args], count: goTests });

const quick = [
  [
    go('go test', asPrograms, ...unlinted, '-short', ...unwatched),
    go('go test -race, what starts goroutines', {}, '-short', ...race, ...watched),
    // What compiles package main embeds the built frontend, so it must not be rebuilt meanwhile.
    { ...go('go test, the window', asTheWindow, ...unlinted, '-tags', tags, '.'), after: frontendBuilt },
    { name: 'nothing has grown', command: ['node', 'scripts/size.mjs', '--check'], after: headlessBuilt },
  ],
  [
    { name: frontendBuilt, command: ['make', 'frontend'] },
    buildsTheWindow,
    buildsHeadless,
    inChromium('the window in Chromium'),
  ],
  [
    { name: 'setup on other computers', command: node('scripts/setup.test.mjs', 'scripts/ways.test.mjs'), count: nodeTests },
    { name: 'frontend types', command: ['npm', '--prefix', 'frontend', 'run', '--silent', 'check'] },
    { name: 'frontend tests', command: ['npm', '--prefix', 'frontend', 'run', '--silent', 'test'], count: vitest },
    { name: 'bindings are what Go says', command: ['node', 'scripts/bindings.mjs', '--check'], env: asPrograms, after: headlessBuilt },
    // Before what two lanes share: so both of them have something to do until the end.
    { name: 'the native window', command: node('e2e/native/'), env: { ...asPrograms, WAYS: 'some' }, count: nodeTests },
    inChromium('the window in Chromium, beside it'),
  ],
];

const beyond = [
  [go('go test -race, all the rest', {}, '-short', ...race, ...unwatched)],
  [
    go('go test, the long suites', asPrograms, ...unlinted, ...long),
    { name: 'a thousand seeds', command: ['scripts/sim.sh'], env: { ...asPrograms, SEEDS: '1000', YEARS: '2' } },
    { name: 'the Windows window builds', command: ['make', 'windows'] },
    go('go test, with what lean/patches changes of Go itself', asPrograms, ...unlinted, '-short', 'slices'),
  ],
  [
    buildsTheWindow,
    buildsHeadless,
    inChromium('the window in Chromium, the other ways', 'others', '--test-only'),
    { name: 'the native window, the other ways', command: node('--test-only', 'e2e/native/'), env: { ...asPrograms, WAYS: 'others' }, count: nodeTests },
  ],
];

const [which = 'quick'] = process.argv.slice(2);
const stages = { quick: [quick], beyond: [beyond], all: [quick, beyond] }[which];
if (!stages) throw new Error(`“${which}” is neither quick, beyond nor all`);

const say = (line) => process.stdout.write(`${line}\n`);
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Runs a section with its output kept aside. Colours off, so that counts can be read from it. */
function run([command, ...args], more) {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1', SCREENSHOTS: 'no', ...more };
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
const failures = []; // what did not pass, told once more at the end

/** The first lines of what is said of a failure. */
const beginning = (text) =>
  text
    .split('\n')
    .filter((line) => line.trim())
    .slice(0, 12)
    .map((line) => `      ${line.slice(0, 400)}`);

async function section({ name, command, env, count, after }) {
  if (after) await finished.get(after).promise;
  const began = performance.now();
  say(`      ${name} …`);
  const { output, ok } = await run(command, env);
  writeFileSync(`${logs}/${name.replace(/\W+/g, '-')}.log`, output);
  const counted = count?.(output) ?? { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  // A section that failed without a failed test (it did not compile, say) still counts as one failure.
  if (!ok && counted.failed === 0) counted.failed = 1;
  total.passed += counted.passed;
  total.failed += counted.failed;
  const lines = ok ? (counted.lines ?? []) : (counted.trouble ?? output.split('\n').slice(-80));
  say(`${ok ? 'pass' : 'FAIL'}  ${name}: ${counted.passed} passed, ${counted.failed} failed (${seconds(began)})`);
  lines.filter(Boolean).forEach((line) => say(`      ${line}`));
  if (!ok) failures.push(`FAIL  ${name}`, ...lines.flatMap(beginning));
  finished.get(name).resolve();
  return ok;
}

execFileSync('scripts/lean.sh', { stdio: 'inherit' });
for (const folder of Object.values(claims)) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const { name } of stages.flat(2)) {
  let resolve;
  finished.set(name, { promise: new Promise((r) => (resolve = r)), resolve });
}
const began = performance.now();
const passed = [];
for (const stage of stages)
  await Promise.all(
    stage.map(async (lane) => {
      for (const each of lane) passed.push(await section(each));
    }),
  );
if (failures.length) say(`\nWhat failed:\n${failures.slice(0, 100).join('\n')}`);
say(`\n${total.passed} passed, ${total.failed} failed (${seconds(began)}; full output in ${logs}/)`);
process.exit(passed.every(Boolean) && total.failed === 0 ? 0 : 1);
