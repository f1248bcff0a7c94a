// Writes what the programs are made of as one CycloneDX document: the Go modules as cyclonedx-gomod reads them in each program
// itself, under their own names and with our patches where they are built of a patched copy (scripts/lean.sh), Go's own library among them, and
// the npm packages that the window is really made of (frontend/vite.config.ts writes down which). `sbom.mjs VERSION`. Nothing in it depends on when or where it is written.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';

const [version] = process.argv.slice(2);
const run = (command, args, options = {}) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'], ...options });

const module = (name) => run('go', ['list', '-m', '-f', '{{.Version}}', name]).trim();

// What each patch is of: "module NAME" or "go PACKAGE", its first line. A patched module stands in a program as the folder it was built in.
const patches = new Map();
const standard = [];
for (const file of readdirSync('lean/patches').sort()) {
  const content = readFileSync(`lean/patches/${file}`, 'utf8');
  const [kind, name] = content.split('\n', 1)[0].split(' ');
  const patch = { type: 'unofficial', diff: { text: { contentType: 'text/x-diff', content } } };
  if (kind === 'module') patches.set(`./build/lean/${basename(file, '.diff')}`, { name, version: module(name), patch });
  else standard.push(patch);
}
const named = (component) => {
  if (component.name === 'std') return { ...component, pedigree: { patches: standard } };
  if (!component.name.startsWith('./build/')) return component;
  const { name, version, patch } = patches.get(component.name);
  const own = (text) => text.replace(`${component.name}@${component.version}`, `${name}@${version}`);
  return { ...component, 'bom-ref': own(component['bom-ref']), name, version, purl: own(component.purl), pedigree: { patches: [patch] } };
};

const components = new Map();
const add = (list = []) => {
  for (const component of list) {
    if (component.purl && component.name !== 'agentchat') components.set(component['bom-ref'] ?? component.purl, component);
  }
};
for (const program of ['agentchat', 'agentchat.exe', 'agentchat-headless']) {
  const read = JSON.parse(run('.tools/bin/cyclonedx-gomod', ['bin', '-json', '-noserial', '-std', '-version', `v${version}`, `build/bin/${program}`]));
  add(read.components.filter(({ name }) => !name.startsWith('./lean/')).map(named)); // what stands in for a module (lean/) is ours
}
// PDFium's WebAssembly is taken out of this module, of which no code is linked.
const pdfium = 'github.com/klippa-app/go-pdfium';
const purl = `pkg:golang/${pdfium}@${module(pdfium)}`;
add([{ 'bom-ref': purl, type: 'library', name: pdfium, version: purl.split('@')[1], purl }]);
// What npm knows of the packages that are in the page. Which of them it calls a tool says nothing about that.
const known = new Map();
for (const component of JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { cwd: 'frontend' })).components) {
  known.set(component['bom-ref'], { ...component, scope: 'required', properties: [] });
}
for (const folder of readFileSync('build/cache/bundled.txt', 'utf8').trim().split('\n')) {
  const { name, version } = JSON.parse(readFileSync(`frontend/${folder}/package.json`, 'utf8'));
  if (!known.has(`${name}@${version}`)) throw new Error(`npm does not know ${name} ${version}, which is in the page`);
  add([known.get(`${name}@${version}`)]);
}

const sorted = [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : a.purl > b.purl ? 1 : 0));
const serial = createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
const uuid = [serial.slice(0, 8), serial.slice(8, 12), `5${serial.slice(13, 16)}`, `8${serial.slice(17, 20)}`, serial.slice(20, 32)].join('-');
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: `urn:uuid:${uuid}`,
  version: 1,
  metadata: {
    timestamp: new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString(),
    component: { type: 'application', name: 'agentchat', version, 'bom-ref': `agentchat@${version}` },
  },
  components: sorted,
};
process.stdout.write(`${JSON.stringify(document, null, 1)}\n`);
