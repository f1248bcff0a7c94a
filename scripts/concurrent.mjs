// The Go packages by whether the race detector watches their tests in `make test`: those that start goroutines, guard what these share (a lock,
// an atomic), and have tests that do several things at once themselves; there alone two calls meet that would not in a program that does one thing.
// All others, and where it would leave tests out (//go:build !race), it watches in `make test-all`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const starts = /^\s*go (func\b|[\w.]+\()|\.Go\(/m;
const guards = /\bsync\.(RW)?Mutex\b|\batomic\./;
const form = '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}|{{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}|{{join .IgnoredGoFiles " "}}{{end}}';

/**
 * Every package that has tests: { watched, unwatched, long }. `long` is what `go test` needs to run the suites that -short cuts, which are
 * the tests of the files that ask how much of them is wanted.
 */
export function packages() {
  // The longest first, so that none of them is left to run alone.
  const list = (...args) =>
    execFileSync('go', ['list', ...args, './cmd/...', './backend/...'], { encoding: 'utf8' }).split('\n').filter(Boolean);
  const sorted = { watched: [], unwatched: [], long: [] };
  for (const line of list('-race', '-f', form)) {
    const [name, dir, files, tests, ignored] = line.split('|');
    const has = (names, what) =>
      names.split(' ').some((file) => file && what.test(readFileSync(join(dir, file), 'utf8')));
    const concurrent = has(files, starts) && has(files, guards) && has(tests, starts);
    const leavesOut = has(ignored, /^\/\/go:build !race$/m);
    sorted[concurrent && !leavesOut ? 'watched' : 'unwatched'].push(name);
  }
  const suites = [];
  const imports = '{{.ImportPath}}|{{.Dir}}|{{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}';
  for (const line of list('-f', imports)) {
    const [name, dir, tests] = line.split('|');
    const texts = tests.split(' ').filter(Boolean).map((file) => readFileSync(join(dir, file), 'utf8'));
    const cut = texts.filter((text) => text.includes('"agentchat/backend/testing/breadth"'));
    if (cut.length) sorted.long.push(name);
    suites.push(...cut.flatMap((text) => [...text.matchAll(/^func (Test\w+)/gm)].map(([, test]) => test)));
  }
  sorted.long.unshift('-run', `^(${suites.join('|')})$`);
  return sorted;
}
