// What is in the programs, and what the window reads to open: docs/size.md (make size). With --check only whether everything that was
// built is within its limit in size.json, so that nothing grows unseen; what a limit is to become stands there as wanted.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';

const run = (command, ...args) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 30, env: { ...process.env, GOFLAGS: '-buildvcs=false' } });
const small = (process.env.SMALL ?? '').split(' ').filter(Boolean); // how the Makefile builds what people get
const limits = JSON.parse(readFileSync(new URL('size.json', import.meta.url), 'utf8'));
const dist = 'frontend/dist';

/** All scripts that a page's first ones import at once, with their bytes. */
function reached(first) {
  const found = new Map();
  const visit = (name) => {
    if (found.has(name)) return;
    const code = readFileSync(`${dist}/${name}`, 'utf8');
    found.set(name, Buffer.byteLength(code));
    for (const [, next] of code.matchAll(/(?:import|from)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) visit(`assets/${next}`);
  };
  first.forEach(visit);
  return [...found.values()].reduce((all, one) => all + one, 0);
}

function measured() {
  const page = readFileSync(`${dist}/index.html`, 'utf8');
  const named = (pattern) => [...page.matchAll(pattern)].map(([, name]) => name);
  const begins = named(/<script[^>]+src="\/([^"]+)"/g);
  return {
    'build/bin/agentchat': statSync('build/bin/agentchat').size,
    'build/bin/agentchat-headless': statSync('build/bin/agentchat-headless').size,
    'script before the first picture': reached(begins),
    'script until the window is there': reached([...begins, ...named(/rel="modulepreload"[^>]+href="\/([^"]+)"/g)]),
  };
}

const kb = (bytes) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
const sizes = measured();

if (process.argv.includes('--check')) {
  let ok = true;
  for (const [what, { limit }] of Object.entries(limits)) {
    const fits = sizes[what] <= limit;
    console.log(`${what}: ${kb(sizes[what])} of ${kb(limit)}${fits ? '' : ': TOO LARGE (make size says what is in it; the limits are in scripts/size.json)'}`);
    ok &&= fits;
  }
  process.exit(ok ? 0 : 1);
}

/** The path of the package that a symbol is of. */
function packageOf(symbol) {
  const name = symbol.replace(/^(type:\.(eq|hash)\.|go:itab\.\*?)/, '').split('[')[0].split('(')[0];
  const dot = name.indexOf('.', name.lastIndexOf('/') + 1);
  return dot < 0 ? name : name.slice(0, dot);
}

/** What a module's packages have in common: three parts of the path for a host's, one for ours and Go's own. */
function moduleOf(path) {
  if (path === 'agentchat' || path.startsWith('agentchat/')) return 'ours';
  const parts = path.split('/');
  return parts[0].includes('.') ? parts.slice(0, 3).join('/') : 'Go itself';
}

function sections(file) {
  const out = {};
  for (const [, name, size] of run('readelf', '-SW', file).matchAll(/\]\s+(\.\S+)\s+PROGBITS\s+\w+\s+\w+\s+(\w+)/g)) out[name] = parseInt(size, 16);
  return out;
}

function program(title, flags, path) {
  mkdirSync('build/cache/size', { recursive: true });
  const file = `build/cache/size/${title.replaceAll(' ', '-')}`;
  execFileSync('go', ['build', '-ldflags=-funcalign=8', ...small, ...flags, '-o', file, path], { env: { ...process.env, GOFLAGS: '-buildvcs=false -trimpath', ...(path === '.' ? {} : { CGO_ENABLED: '0' }) } });
  const code = new Map();
  for (const line of run('go', 'tool', 'nm', '-size', file).split('\n')) {
    const [, , size, kind, symbol] = /^\s*(\w*)\s+(\d+)\s+(\w)\s+(.+)$/.exec(line) ?? [];
    if (kind?.toUpperCase() === 'T') code.set(moduleOf(packageOf(symbol)), (code.get(moduleOf(packageOf(symbol))) ?? 0) + Number(size));
  }
  const embedded = run('go', 'list', ...flags.filter((flag) => flag.startsWith('-tags')), '-deps', '-f', '{{range .EmbedFiles}}{{$.ImportPath}}|{{$.Dir}}/{{.}}\n{{end}}', path)
    .split('\n').filter(Boolean).map((line) => line.split('|')).map(([of, name]) => [`${of}: ${name.split('/').pop().replace(/-[\w-]{8}(?=\.)/, '').replace(/subset\.\d+/, 'subset.*')}`, statSync(name).size]);
  const assets = new Map();
  if (path === '.')
    for (const name of readdirSync(`${dist}/assets`)) {
      const plain = name.replace(/-[\w-]{8}(?=\.)/, '').replace(/subset\.\d+/, 'subset.*');
      embedded.push([`in window.zip, as it was before: ${plain}`, statSync(`${dist}/assets/${name}`).size]);
    }
  for (const [name, size] of embedded) assets.set(name, (assets.get(name) ?? 0) + size);
  const table = (map, least) => [...map].filter(([, size]) => size >= least).sort((a, b) => b[1] - a[1]).map(([name, size]) => `| ${name} | ${kb(size)} |`).join('\n');
  const parts = sections(file);
  return `## ${title}

| Section | Size |
|---|---|
| code (.text) | ${kb(parts['.text'])} |
| where code came from, for traces and the collector (.gopclntab) | ${kb(parts['.gopclntab'])} |
| constants, types, and what is embedded as text (.rodata) | ${kb(parts['.rodata'])} |
| data, and what is embedded as bytes (.data, .noptrdata) | ${kb(parts['.data'] + parts['.noptrdata'])} |

| Code of | Size |
|---|---|
${table(code, 60_000)}

| Embedded | Size |
|---|---|
${table(assets, 20_000)}
`;
}

const lines = Object.entries(limits).map(([what, { limit, wanted }]) => `| ${what} | ${kb(sizes[what])} | ${kb(limit)} | ${wanted ? kb(wanted) : ''} |`);
writeFileSync(
  'docs/size.md',
  `# What is in the programs

Made by \`make size\`; \`make test\` fails when something is larger than its limit in \`scripts/size.json\`.

| What | Size | Limit | Wanted |
|---|---|---|---|
${lines.join('\n')}

The first picture is that of the page itself (\`index.html\`): paper, board and the box one types into. The window follows in one file,
everything else when it is wanted or the window is calm. The program carries the page as one zip (\`windowfiles.go\`): 5.3 MB of files in 1.9 MB, each unpacked when it is asked for.

${program('The window', ['-tags=desktop,production,webkit2_41,nethttpomithttp2,lean'], '.')}
${program('The headless front', ['-tags=nethttpomithttp2'], './cmd/headless')}`,
);
