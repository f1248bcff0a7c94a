// An outside server (MCP over stdio) as small as one can be. It reads its tools from the file it is given, each time it is
// asked, and says so when the file changes: `node outside-server.mjs tools.json`. With a second file it has those resources to be read, too:
// { resources: [{ uri, name, text, … }], templates: [{ uriTemplate, name, … }] }; what a template makes is read as its own address. So it has prompts:
// { prompts: [{ name, says, arguments, … }], values: […] }; {name} in what one says is what was filled in, and values are offered for every argument.
import { readFileSync, watchFile } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, shelf] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });

let answered = () => undefined;
async function asksModel(words) {
  const came = new Promise((resolve) => (answered = resolve));
  send({
    id: 'sampling',
    method: 'sampling/createMessage',
    params: {
      systemPrompt: 'Answer in one line.',
      maxTokens: 60,
      messages: [{ role: 'user', content: { type: 'text', text: words } }],
    },
  });
  const { result, error } = await came;
  return text(result ? `It said: ${result.content.text}` : `Refused: ${error.message}`);
}

const onShelf = () => JSON.parse(readFileSync(shelf, 'utf8'));
const reads = {
  'resources/list': () => ({ resources: onShelf().resources.map(({ text: _, ...rest }) => rest) }),
  'resources/templates/list': () => ({ resourceTemplates: onShelf().templates }),
  'resources/read': ({ uri }) => {
    const one = onShelf().resources.find((r) => r.uri === uri);
    if (!one && !uri.startsWith('notes://by/')) return undefined;
    return { contents: [{ uri, mimeType: 'text/markdown', text: one?.text ?? `# ${uri}` }] };
  },
};
const says = {
  'prompts/list': () => ({ prompts: (onShelf().prompts ?? []).map(({ says: _, ...rest }) => rest) }),
  'prompts/get': ({ name, arguments: args = {} }) => {
    const one = (onShelf().prompts ?? []).find((p) => p.name === name);
    if (!one) return undefined;
    const words = one.says.replace(/\{(\w+)\}/g, (_, key) => args[key] ?? '');
    return { messages: [{ role: 'user', content: { type: 'text', text: words } }, ...(one.more ?? [])] };
  },
  'completion/complete': ({ argument }) => ({
    completion: { values: (onShelf().values ?? []).filter((v) => v.startsWith(argument.value)) },
  }),
};
const answers = {
  ...(shelf ? says : {}),
  ...(shelf ? reads : {}),
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      ...(shelf ? { resources: {}, prompts: { listChanged: true }, completions: {} } : {}),
    },
    serverInfo: { name: 'outside-server', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: JSON.parse(readFileSync(file, 'utf8')) }),
  // Words of a model, where whoever calls lets it ask (sampling).
  'tools/call': ({ name, arguments: args }) =>
    name === 'ask_model' ? asksModel(args.text) : text(`${name}: ${JSON.stringify(args)}`),
};

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, method, params = {}, ...rest } = JSON.parse(line);
    if (id === 'sampling' && !method) return answered(rest);
    if (id === undefined) return;
    const answer = answers[method];
    const result = await answer?.(params);
    if (result) send({ id, result });
    else if (answer) send({ id, error: { code: -32002, message: 'Resource not found' } });
    else send({ id, error: { code: -32601, message: `${method} is not known` } });
  })
  .on('close', () => process.exit(0));

if (shelf) watchFile(shelf, { interval: 50 }, () => send({ method: 'notifications/prompts/list_changed' }));
watchFile(file, { interval: 50 }, () => send({ method: 'notifications/tools/list_changed' }));
