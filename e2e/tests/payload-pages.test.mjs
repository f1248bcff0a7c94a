// The pages that list what others wrote — servers, approvals, the audit log, documents, notes — show every payload as text.
import { test } from 'node:test';

import { besieged, every, payloads, time } from '../lib/besieged.mjs';
import { of } from '../lib/shop.mjs';

/** The payloads again and again, each under a number of its own. */
const entriesOf = (make) => payloads.map((text, i) => make(text, i));

test('outside servers, their tools and what changed in them', async (t) => {
  const { nothingCameOf, answer, shop, page } = await besieged(t);
  const schema = {
    type: 'object',
    title: every,
    properties: Object.fromEntries(
      payloads.slice(0, 40).map((p) => [p, { type: p, description: p, enum: [p] }]),
    ),
  };
  const states = ['ok', 'new', 'changed', 'disabled', 'refused'];
  await answer({
    MCP: {
      file: every,
      text: every,
      problems: payloads,
      servers: [
        {
          server: every,
          transport: 'http',
          target: every,
          state: 'needs_consent',
          error: every,
          digest: 'd',
          tools: entriesOf((text, i) => ({
            key: `k${i}`,
            name: text,
            title: text,
            description: text,
            schema: i < 5 ? schema : { description: text },
            confirm: i % 2 ? 'always' : text,
            state: states[i % states.length],
            reason: text,
            old:
              states[i % states.length] === 'changed'
                ? { name: text, title: text, description: `${text} before`, schema: { description: text } }
                : undefined,
          })),
        },
      ],
    },
  });
  await shop.goTo('outside');
  await shop.sees('all tools', of('outside-tool'), { count: payloads.length });
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
  await nothingCameOf('outside servers', of('outside-page'), ['MCP', 'Tools', 'Guests']);
});

test('permissions, rules, what was refused, and the audit log', async (t) => {
  const { nothingCameOf, answer, shop, page } = await besieged(t);
  const entry = (text, i) => ({
    n: payloads.length - i,
    id: `e${i}`,
    time,
    chat: 'main',
    job: 'j',
    todo: 't',
    tool: text,
    args: { [text]: text, list: [text, { [text]: text }] },
    digest: 'd',
    by: i % 3 ? 'person' : text,
    basis: text,
    why: { ko: text, en: text },
    question: text,
    preview: { text, diff: `--- ${text}\n+++ b\n@@ -1 +1 @@\n-${text}\n+${text}` },
    origins: [{ arg: text, from: 'tool', trusted: false, value: text, text, quote: text, name: text }],
    outcome: i % 2 ? 'denied' : text,
    result: text,
    code: text,
  });
  const log = entriesOf(entry);
  await answer({
    Permissions: {
      grants: entriesOf((text, i) => ({
        id: `g${i}`,
        tool: text,
        title: text,
        scope: i % 2 ? 'chat' : 'always',
        chat: 'main',
        words: text,
        created: time,
        used: time,
        uses: 1,
      })),
      rules: payloads.slice(0, 60).map((text) => ({
        tool: text,
        decision: 'deny',
        note: text,
        when: [{ arg: text, op: 'like', value: text }],
      })),
      denied: log,
    },
    Audit: log,
  });
  await shop.goTo('permissions');
  await shop.sees('all grants', of('grant'), { count: payloads.length });
  await nothingCameOf('permissions', of('permissions-page'), ['Permissions', 'Tools', 'Folders']);
  await shop.goTo('audit');
  await shop.sees('the log', of('audit-entry', { tool: payloads[0] }));
  await page.evaluate(async (entries) => {
    for (const d of document.querySelectorAll(`${entries} details`)) d.open = true;
    await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
  }, of('audit-entry'));
  await shop.sees('an entry unfolded', `${of('audit-entry')} dl`, { count: payloads.length });
  await nothingCameOf('the audit log', of('audit-page'), ['Audit', 'Permissions', 'Tools', 'Folders']);
});

test('documents, what could not be brought in, and notes', async (t) => {
  const { nothingCameOf, answer, shop, page } = await besieged(t);
  const document = (text, i) => ({
    id: `d${i}`,
    title: text,
    path: text,
    format: text,
    kind: i % 2 ? 'mine' : 'standard',
    bytes: 1,
    pages: 1,
    articles: 1,
    passages: 1,
    added: time,
  });
  let start = 0;
  const passages = payloads.map((text, i) => {
    const passage = { page: i + 1, start, text };
    start += new TextEncoder().encode(text).length;
    return passage;
  });
  const note = (text, i) => ({ id: `n${i}`, title: text, text, hash: 'h', created: time, updated: time });
  await answer({
    Library: {
      documents: entriesOf(document),
      imports: [
        {
          id: 'i',
          path: every,
          state: 'canceled',
          done: 1,
          total: payloads.length + 1,
          added: 0,
          duplicates: 0,
          file: every,
          problems: payloads.map((text) => ({ file: text, code: text, message: text })),
        },
      ],
      mode: 'lexical',
      vectors: { state: 'waiting', model: every, done: 0, total: 1, problem: every },
    },
    Document: {
      document: document(every, 1),
      articles: payloads.map((text) => ({
        part: text,
        chapter: text,
        number: text,
        title: text,
        page: 1,
        start: 0,
        end: 1,
      })),
      passages,
    },
    Notes: {
      notes: entriesOf(note),
      trash: entriesOf((text, i) => ({ ...note(text, `t${i}`), deleted: time })),
    },
  });
  const unfold = () =>
    page.evaluate(() => document.querySelectorAll('main details').forEach((d) => (d.open = true)));
  await shop.goTo('library');
  await shop.sees('the import', of('import', { state: 'canceled' }));
  const more = page.getByRole('button', { name: /개 더 보기/ }).first();
  while (await more.count()) await more.click();
  await shop.sees('all documents', of('document'), { count: payloads.length });
  await unfold();
  await nothingCameOf('the library', of('library-page'), ['Library']);
  await page
    .locator(`${of('document')} button.name`)
    .first()
    .dispatchEvent('click');
  await shop.sees('a document', of('reader'));
  await page.locator(`${of('reader')} [aria-controls="reader-contents"]`).click();
  await page.locator('#reader-contents').waitFor();
  await nothingCameOf('a document', of('reader'), ['Library', 'Document']);
  await shop.goTo('notes');
  await shop.sees('all notes', of('note'), { count: payloads.length });
  await unfold();
  await nothingCameOf('the notes', of('notes-page'), ['Library', 'Document', 'Notes', 'Reminders']);
});
