// An outside server (MCP over stdio) as small as one can be. It reads its tools from the file it is given, each time it is
// asked, and says so when the file changes: `node outside-server.mjs tools.json`.
import { readFileSync, watchFile } from 'node:fs';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'outside-server', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: JSON.parse(readFileSync(file, 'utf8')) }),
  'tools/call': ({ name, arguments: args }) => text(`${name}: ${JSON.stringify(args)}`),
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) return;
    const answer = answers[method];
    send(
      answer
        ? { id, result: answer(params) }
        : { id, error: { code: -32601, message: `${method} is not known` } },
    );
  })
  .on('close', () => process.exit(0));

watchFile(file, { interval: 50 }, () => send({ method: 'notifications/tools/list_changed' }));
