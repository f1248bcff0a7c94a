// What scripts/setup.sh does on computers that are not this one: apt and its company are stand-ins, and nothing else is on the
// PATH. The real thing runs in a bare Debian by `make test-fresh`.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const setup = join(dirname(fileURLToPath(import.meta.url)), 'setup.sh');
const real = (tool) => execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim();

const languages = {
  go: 'exit 0',
  npm: 'exit 0',
  node: 'case "$1" in -p) echo 20 ;; *) echo v20.0.0 ;; esac',
};

// dpkg knows what the file `installed` names; apt-get puts there what it installs, and writes down how it was called.
const debian = {
  uname: 'echo Linux',
  id: 'echo 0',
  'dpkg-query': 'for name; do :; done; grep -qx "$name" "$STATE/installed" && printf installed',
  'apt-cache': '[ "$2" = chromium ] && cat "$STATE/lists"',
  'apt-get':
    'echo "apt-get $*" >>"$STATE/calls"; [ "$1" = update ] && exec cp "$STATE/served" "$STATE/lists"; ' +
    'for word; do case "$word" in -*|install) ;; *) echo "$word" >>"$STATE/installed" ;; esac; done',
};

// What apt says of a package with two versions: more than a pipe holds, so that a reader that stops early is noticed.
const twoVersions = `Package: chromium\n${'Description: a web browser\n'.repeat(8000)}\nPackage: chromium\n`;

/** A computer with these programs and nothing else; lists: what apt knows at once, served: what it knows after `update`. */
function computer(t, programs, { lists = '', served = lists, installed = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const state = mkdtempSync(join(tmpdir(), 'setup-state-'));
  t.after(() => rmSync(state, { recursive: true }));
  for (const tool of ['bash', 'cat', 'cp', 'dirname', 'env', 'grep', 'sh']) symlinkSync(real(tool), join(folder, tool));
  const all = { make: 'echo "make $*" >>"$STATE/calls"', ...programs };
  for (const [name, body] of Object.entries(all)) {
    writeFileSync(join(folder, name), `#!${real('sh')}\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const files = { installed: installed.map((name) => `${name}\n`).join(''), lists, served };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(state, name), text);
  const run = (purpose, env = {}) => {
    const { status, stderr, stdout } = spawnSync(real('bash'), [setup, purpose], {
      encoding: 'utf8',
      env: { PATH: folder, STATE: state, HOME: state, ...env },
    });
    const calls = existsSync(join(state, 'calls')) ? readFileSync(join(state, 'calls'), 'utf8') : '';
    rmSync(join(state, 'calls'), { force: true });
    return { status, said: stdout + stderr, calls };
  };
  return { run };
}

test('a fresh Debian: what is missing is named and installed, and the second time there is nothing to do', (t) => {
  const { run } = computer(t, { ...languages, ...debian }, { lists: '', served: twoVersions });
  const first = run('test');
  assert.equal(first.status, 0, first.said);
  assert.match(first.said, /missing system packages: build-essential .*webkit2gtk-driver/);
  assert.match(first.calls, /^apt-get update -qq$/m);
  assert.match(first.calls, /^apt-get install -y .* chromium$/m);
  assert.doesNotMatch(first.calls, /chromium-browser/);
  assert.match(first.calls, /^make .*frontend\/node_modules\/\.installed e2e\/node_modules\/\.installed$/m);
  const second = run('test');
  assert.equal(second.status, 0, second.said);
  assert.match(second.said, /^setup: recommended, .*fonts-noto-color-emoji\n$/);
  assert.doesNotMatch(second.calls, /apt-get/);
});

test('a Debian that knows two versions of Chromium: still Chromium', (t) => {
  const { calls, said, status } = computer(t, { ...languages, ...debian }, { lists: twoVersions }).run('test');
  assert.equal(status, 0, said);
  assert.match(calls, /^apt-get install -y .* chromium$/m);
});

test('an apt that has no chromium: chromium-browser', (t) => {
  const { calls } = computer(t, { ...languages, ...debian }).run('test');
  assert.match(calls, /^apt-get install -y .* chromium-browser$/m);
});

for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
  test(`${name} is there: no browser is installed`, (t) => {
    const { calls } = computer(t, { ...languages, ...debian, [name]: 'exit 0' }, { lists: twoVersions }).run('test');
    assert.match(calls, /apt-get install/);
    assert.doesNotMatch(calls, /chrom/);
  });
}

/** The same, and its apt has Chromium without a window, too. */
const withoutWindow = { ...debian, 'apt-cache': 'case "$2" in chromium|chromium-headless-shell) cat "$STATE/lists" ;; esac' };

for (const there of [{}, { chromium: 'exit 0' }]) {
  test(`a Debian that has Chromium without a window: it is installed ${there.chromium ? 'beside Chromium' : 'alone'}, once`, (t) => {
    const { run } = computer(t, { ...languages, ...withoutWindow, ...there }, { served: twoVersions });
    const { calls, said, status } = run('test');
    assert.equal(status, 0, said);
    assert.match(calls, /^apt-get install -y .* chromium-headless-shell$/m);
    assert.doesNotMatch(run('test').calls, /apt-get/);
  });
}

test('Chromium without a window is there: no browser is installed', (t) => {
  const there = { ...languages, ...withoutWindow, 'chromium-headless-shell': 'exit 0' };
  const { calls } = computer(t, there, { lists: twoVersions }).run('test');
  assert.match(calls, /apt-get install/);
  assert.doesNotMatch(calls, /chrom/);
});

test('CHROMIUM names the browser: none is installed', (t) => {
  const { calls } = computer(t, { ...languages, ...debian }, { lists: twoVersions }).run('test', { CHROMIUM: '/opt/chrome' });
  assert.match(calls, /apt-get install/);
  assert.doesNotMatch(calls, /chrom/);
});

test('to run with a display: no browser, no virtual screen', (t) => {
  const there = computer(t, { ...languages, ...debian }, { lists: twoVersions });
  const { calls } = there.run('run', { DISPLAY: ':0' });
  assert.match(calls, /libwebkit2gtk-4\.1-dev/);
  assert.doesNotMatch(calls, /xvfb|chromium/);
});

test('to run without one: a virtual screen, no browser', (t) => {
  const { calls } = computer(t, { ...languages, ...debian }, { lists: twoVersions }).run('run');
  assert.match(calls, /xvfb/);
  assert.doesNotMatch(calls, /chromium/);
});

test('not root: through sudo', (t) => {
  const sudo = 'echo "sudo $*" >>"$STATE/calls"; exec "$@"';
  const { calls, status } = computer(t, { ...languages, ...debian, id: 'echo 1000', sudo }).run('run');
  assert.equal(status, 0);
  assert.match(calls, /^sudo apt-get update/m);
  assert.match(calls, /^sudo env DEBIAN_FRONTEND=noninteractive apt-get install/m);
});

test('neither root nor sudo: the command to run is said, and nothing is done', (t) => {
  const { calls, said, status } = computer(t, { ...languages, ...debian, id: 'echo 1000' }).run('run');
  assert.equal(status, 1);
  assert.match(said, /neither root nor sudo; please run: apt-get install build-essential/);
  assert.equal(calls, '');
});

for (const step of ['update', 'install']) {
  test(`apt-get fails at ${step}: it is said, and nothing goes on`, (t) => {
    const failing = `[ "$1" = ${step} ] && exit 100; ${debian['apt-get']}`;
    const { calls, said, status } = computer(t, { ...languages, ...debian, 'apt-get': failing }).run('run');
    assert.equal(status, 1);
    assert.match(said, /apt-get could not/);
    assert.doesNotMatch(calls, /^make/m);
  });
}

test('Go and Node are missing or old: all of it is said at once', (t) => {
  const { said, status } = computer(t, { ...debian, node: 'case "$1" in -p) echo 18 ;; *) echo v18.1.0 ;; esac' }).run('run');
  assert.equal(status, 1);
  for (const expected of [/Go 1\.26/, /npm \(comes with/, /Node\.js 20 or newer \(this is v18\.1\.0\)/]) assert.match(said, expected);
});

test('a Go too old for the project is named', (t) => {
  const { said, status } = computer(t, { ...languages, ...debian, go: 'exit 1' }).run('run');
  assert.equal(status, 1);
  assert.match(said, /cannot build the project/);
});

test('a Linux without apt: what is missing is listed by what it is', (t) => {
  const { calls, said, status } = computer(t, { ...languages, uname: 'echo Linux', 'pkg-config': 'exit 1' }).run('test');
  assert.equal(status, 1);
  for (const expected of [/development files of webkit2gtk-4\.1/, /a C compiler/, /Xvfb/, /Chromium/, /Korean font/]) assert.match(said, expected);
  assert.equal(calls, '');
});

test('a Linux without apt where all is there: on it goes', (t) => {
  const tools = ['cc', 'pkg-config', 'Xvfb', 'dbus-daemon', 'openbox', 'wmctrl', 'xclip', 'xdotool', 'scrot', 'WebKitWebDriver', 'chromium'];
  const all = Object.fromEntries(tools.map((name) => [name, 'exit 0']));
  const { calls, said, status } = computer(t, { ...languages, uname: 'echo Linux', ...all }).run('test');
  assert.equal(status, 0, said);
  assert.match(calls, /^make/m);
});

test('another system: the way that there is is named', (t) => {
  const { said, status } = computer(t, { ...languages, uname: 'echo Darwin' }).run('run');
  assert.equal(status, 1);
  assert.match(said, /make headless/);
});

test('a purpose that there is not: how to call it', (t) => {
  const { said, status } = computer(t, { ...languages, ...debian }).run('dance');
  assert.equal(status, 1);
  assert.match(said, /usage: setup\.sh run\|test/);
});
