// Writes what the programs are made of as one CycloneDX document: the Go modules as cyclonedx-gomod reads them in each program
// itself, and the npm packages that the window's script is made of. `sbom.mjs VERSION`. Nothing in it depends on when or where it is written.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

const [version] = process.argv.slice(2);
const run = (command, args, options = {}) => execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'], ...options });

const components = new Map();
const add = (list = []) => {
  for (const component of list) {
    if (component.purl && component.name !== 'agentchat') components.set(component['bom-ref'] ?? component.purl, component);
  }
};
for (const program of ['agentchat', 'agentchat.exe', 'agentchat-headless']) {
  add(JSON.parse(run('.tools/bin/cyclonedx-gomod', ['bin', '-json', '-noserial', '-version', `v${version}`, `build/bin/${program}`])).components);
}
// PDFium's WebAssembly is taken out of this module, of which no code is linked.
const pdfium = 'github.com/klippa-app/go-pdfium';
const purl = `pkg:golang/${pdfium}@${run('go', ['list', '-m', '-f', '{{.Version}}', pdfium]).trim()}`;
add([{ 'bom-ref': purl, type: 'library', name: pdfium, version: purl.split('@')[1], purl }]);
add(JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'], { cwd: 'frontend' })).components);

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
