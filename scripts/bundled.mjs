// Names the folder of every npm package that the window's script, styles and type are made of, one a line: what `make licences` lists.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '../frontend');
const { build } = await import(pathToFileURL(join(root, 'node_modules/vite/dist/node/index.js')));

const folders = new Set(Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies).map((name) => join(root, 'node_modules', name)));
const outDir = mkdtempSync(join(tmpdir(), 'agentchat-bundled-'));
process.chdir(root);
await build({
  root,
  logLevel: 'error',
  build: { outDir, emptyOutDir: true },
  plugins: [
    {
      name: 'bundled',
      generateBundle(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          for (const id of chunk.moduleIds ?? []) {
            const at = id.replaceAll('\\', '/').lastIndexOf('/node_modules/');
            if (at < 0) continue;
            const parts = id.slice(at + '/node_modules/'.length).split('/');
            const name = parts[0].startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
            folders.add(join(id.slice(0, at).replace(/^\0/, ''), 'node_modules', name));
          }
        }
      },
    },
  ],
});
rmSync(outDir, { recursive: true });
process.stdout.write([...folders].map((f) => realpathSync(f)).sort().join('\n') + '\n');
