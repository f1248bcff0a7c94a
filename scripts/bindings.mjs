// Generates the frontend's types from the bound Go methods. With --check it only tells whether the committed ones are
// what the Go code says, and leaves them as they were. Files that did not change keep their time, so nothing is rebuilt.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'frontend/wailsjs';
const check = process.argv.includes('--check');

function read() {
  const files = new Map();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true })) {
    const path = join(folder, entry);
    const { mtime, mode } = statSync(path);
    if (statSync(path).isFile()) files.set(path, { text: readFileSync(path, 'utf8'), mtime, mode });
  }
  return files;
}

const before = read();
const env = { ...process.env, CGO_ENABLED: '0', tsoutputtype: 'interfaces' };
// What it has in common with the headless front is compiled once, with the same tag.
const made = spawnSync('go', ['run', '-tags', 'bindings,nethttpomithttp2', '.'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
if (made.status !== 0) process.exit(made.status ?? 1);
// A union of its values suits what comes as JSON better than an enum: a value is a value of its type as it is.
const models = join(folder, 'go/models.ts');
const united = readFileSync(models, 'utf8').replace(/export enum (\w+) \{([^}]*)\}/g, (_, name, values) => {
  const all = [...values.matchAll(/= ("[^"]*")/g)].map(([, value]) => value);
  return `export type ${name} = ${all.join(' | ')};`;
});
// Wails writes those of a package in no order.
const ordered = united.replace(/(^\s*export type .*\n)+/gm, (lines) => lines.split('\n').filter(Boolean).sort().join('\n') + '\n');
writeFileSync(models, ordered);
const after = read();
for (const path of after.keys()) chmodSync(path, 0o644); // Wails makes some executable, some of its commands do not

const changed = [...new Set([...before.keys(), ...after.keys()])].filter((p) => before.get(p)?.text !== after.get(p)?.text);
for (const [path, { text, mtime, mode }] of before) {
  if (!changed.includes(path)) utimesSync(path, mtime, mtime);
  else if (check) writeFileSync(path, text, { mode });
}
if (check) changed.filter((path) => !before.has(path)).forEach((path) => rmSync(path));

if (changed.length) process.stdout.write(`${check ? 'not what the Go code says' : 'generated'}:\n  ${changed.join('\n  ')}\n`);
if (check && changed.length) {
  process.stdout.write('run `make bindings` and commit the result\n');
  process.exit(1);
}
