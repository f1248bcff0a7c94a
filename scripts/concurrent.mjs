// The Go packages by whether the race detector watches their tests in `make test`: those that start goroutines of their own.
// Where it would leave tests out (//go:build !race), or in packages that start none, it watches in `make test-all` alone.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const starts = /^\s*go (func\b|[\w.]+\()|\.Go\(/m;
const form = '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}|{{.Dir}}|{{join .GoFiles " "}}|{{join .IgnoredGoFiles " "}}{{end}}';

/** Every package that has tests: { watched, unwatched, long }; long are those whose suites -short cuts. */
export function packages() {
  const list = (...args) =>
    execFileSync('go', ['list', ...args, './backend/...', './cmd/...'], { encoding: 'utf8' }).split('\n').filter(Boolean);
  const sorted = { watched: [], unwatched: [], long: [] };
  for (const line of list('-race', '-f', form)) {
    const [name, dir, files, ignored] = line.split('|');
    const split = (names) => names.split(' ').filter(Boolean);
    const leavesOut = split(ignored).some((file) => /^\/\/go:build !race$/m.test(readFileSync(join(dir, file), 'utf8')));
    const concurrent = split(files).some((file) => starts.test(readFileSync(join(dir, file), 'utf8')));
    sorted[concurrent && !leavesOut ? 'watched' : 'unwatched'].push(name);
  }
  const imports = '{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}';
  for (const line of list('-f', imports)) {
    const [name, ...imported] = line.split(' ');
    if (imported.includes('agentchat/backend/testing/breadth')) sorted.long.push(name);
  }
  return sorted;
}
