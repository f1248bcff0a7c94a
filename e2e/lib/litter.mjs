// A folder full of files, as downloads are.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ends = ['pdf', 'png', 'mp3', 'zip', 'mp4', 'exe', 'xyz'];
const names = ['회의록', '영수증', 'IMG_2041', 'holiday photos', '계약서 최종', 'invoice'];

/** A folder of that name with so many files that are a year old, gone after the test. */
export function littered(t, name, n) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'agentchat-tidy-')));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, name);
  mkdirSync(path);
  for (let i = 0; i < n; i++) {
    const file = join(path, `${names[i % names.length]} ${i}.${ends[i % ends.length]}`);
    writeFileSync(file, `content ${i}`.repeat((i % 9) + 1));
    utimesSync(file, 1_700_000_000 + i, 1_700_000_000 + i);
  }
  return path;
}

/** Everything below a folder, byte for byte. */
export function treeOf(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile())
    .map((e) => join(e.parentPath, e.name))
    .sort()
    .map((path) => `${path} ${statSync(path).mtimeMs} ${statSync(path).mode} ${readFileSync(path, 'utf8')}`)
    .join('\n');
}

/** How many files lie in the folder itself. */
export const loose = (dir) => readdirSync(dir, { withFileTypes: true }).filter((e) => e.isFile()).length;
