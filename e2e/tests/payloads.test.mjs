// What a hostile model, document or outside server writes is text and stays text, in every place the window shows it: no
// script runs, no bound method is called by it, nothing leaves for the network, and the window goes nowhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { besieged, chunks, every, payloads, time } from '../lib/besieged.mjs';
import { dangersInPage } from '../lib/hostile.mjs';
import { screenshotPath } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';

const message = (id, role, text, more = {}) => ({
  kind: 'chat.message',
  chat: 'main',
  data: { id, role, text, time: new Date().toISOString(), ...more },
});

test('there are enough of them, and each is another', () => {
  assert.ok(payloads.length >= 200);
  assert.equal(new Set(payloads).size, payloads.length);
});

test('the alarm itself works, and markup that got in all the same would not run', async (t) => {
  const { page, window } = await besieged(t);
  await page.evaluate(() => alert('caught'));
  assert.deepEqual(await page.evaluate(() => window.__ran), ['alert(caught)']);
  await page.evaluate(async () => {
    const box = document.createElement('div');
    box.className = 'decoy';
    box.innerHTML = '<a href="javascript:alert(2)">x</a><img src="data:," onerror="alert(3)">';
    document.body.append(box);
    await new Promise((done) => box.querySelector('img').addEventListener('error', () => setTimeout(done)));
    box.querySelector('a').click();
    box
      .querySelector('a')
      .dispatchEvent(new MouseEvent('auxclick', { bubbles: true, cancelable: true, button: 1 }));
  });
  assert.ok((await page.evaluate(dangersInPage, '.decoy')).found.length >= 3);
  assert.deepEqual(await page.evaluate(() => window.__ran), ['alert(caught)'], 'the policy of the page held');
  assert.ok(window.complaints.every((c) => c.includes('Content Security Policy')));
  assert.notEqual(window.complaints.length, 0);
  window.complaints.length = 0;
});

test('replies, reasoning, reports and buttons in the chat', async (t) => {
  const { nothingCameOf, tell } = await besieged(t);
  let links = 0;
  for (const [i, some] of chunks(payloads, 20).entries()) {
    await tell(
      ...some.flatMap((text, n) => [
        message(`s-${i}-${n}`, 'shop', text, { reasoning: text, buttons: [{ id: 'x', label: text }] }),
        message(`j-${i}-${n}`, 'job', text, { jobId: 'job-x' }),
      ]),
    );
    const seen = await nothingCameOf(`messages ${i}`, of('chat-message'));
    assert.ok(seen.places >= Math.min(40, some.length), 'they are drawn');
    links += seen.links;
  }
  assert.ok(links > 20, 'links were there to be pressed');
});

test('a reply and its reasoning while they grow, letter by letter', async (t) => {
  const { nothingCameOf, tell } = await besieged(t);
  for (const [i, some] of chunks(payloads, 25).entries()) {
    const id = `g-${i}`;
    for (const text of some) {
      const half = Math.ceil(text.length / 2);
      for (const delta of [text.slice(0, half), text.slice(half), '\n\n'])
        await tell(
          { kind: 'chat.token', chat: 'main', data: { id, delta } },
          { kind: 'thinking', chat: 'main', data: { step: 'generating', text: delta, data: { id } } },
        );
      await nothingCameOf('a reply that grows', of('chat-message'));
    }
    await tell(message(id, 'shop', 'ok'));
  }
});

test('questions, jobs, their todos and logs', async (t) => {
  const { nothingCameOf, tell, page, answer } = await besieged(t);
  for (const [i, some] of chunks(payloads, 60).entries()) {
    const jobId = `job-${i}`;
    const all = some.join('\n');
    const args = Object.fromEntries(
      some.flatMap((p, n) => [
        [`a${n}`, p],
        [p, n],
      ]),
    );
    await answer({
      Job: {
        job: { id: jobId, number: i + 1, title: all, chat: 'main', state: 'waiting', todos: [] },
        messages: [],
        log: [],
        asks: [],
        closed: [],
      },
    });
    await tell(
      {
        kind: 'job.created',
        chat: 'main',
        job: jobId,
        data: {
          id: jobId,
          jobId,
          number: i + 1,
          title: all,
          chat: 'main',
          todos: some.map((title, n) => ({ id: `t${n}`, title, tool: title })),
        },
      },
      ...some.map((line) => ({
        kind: 'job.log',
        job: jobId,
        chat: 'main',
        data: { jobId, level: 'info', line },
      })),
      {
        kind: 'ask.opened',
        chat: 'main',
        job: jobId,
        data: {
          id: `ask-${i}`,
          kind: 'approval',
          chat: 'main',
          jobId,
          jobTitle: all,
          question: all,
          choices: ['approve', 'reject', 'edit'],
          tool: all,
          args,
          digest: 'd',
          effect: all,
          why: all,
          preview: { text: all, diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${all}\n+${all}` },
          origins: some.map((text) => ({
            arg: text,
            from: 'document',
            trusted: false,
            value: text,
            text,
            quote: text,
            name: text,
            where: text,
            source: text,
          })),
          scopes: [
            { scope: 'once', words: all, default: true },
            { scope: 'chat', words: all },
          ],
        },
      },
    );
    await nothingCameOf(
      'a job and its question',
      `${of('job-card')}, ${of('ask-card')}, ${of('waiting-tile')}`,
      ['Job'],
    );
    await page.locator(`${of('job-card', { job: jobId })} h3 button`).dispatchEvent('click');
    await nothingCameOf('the panel of a job', of('job-panel'), ['Job']);
    await tell({
      kind: 'ask.closed',
      chat: 'main',
      job: jobId,
      data: { id: `ask-${i}`, choice: 'reject', by: 'person', reason: all },
    });
    await nothingCameOf('what was answered', of('ask-record'), ['Job']);
  }
});

test('what an outside server asks in the middle of a call', async (t) => {
  const { nothingCameOf, tell, page } = await besieged(t);
  const some = payloads.slice(0, 6);
  const words = (kind, i) => ({
    name: `${kind}-${i}`,
    kind,
    title: every,
    about: some[i % some.length],
    required: i % 2 === 0,
    default: kind === 'some' ? [every] : every,
    choices:
      kind === 'one' || kind === 'some' ? payloads.map((value) => ({ value, title: value })) : undefined,
  });
  const fields = ['text', 'number', 'integer', 'one', 'some', 'yes_no'].map(words);
  await tell({
    kind: 'ask.opened',
    chat: 'main',
    data: {
      id: 'outside-1',
      kind: 'outside',
      chat: 'main',
      question: every,
      choices: ['value', 'reject'],
      tool: every,
      digest: 'd',
      form: { server: every, message: every, fields },
    },
  });
  await nothingCameOf('a form of an outside server', of('ask-card'));
  await tell({ kind: 'ask.closed', chat: 'main', data: { id: 'outside-1', choice: 'none', by: 'system' } });
  // One as people meet it, to be looked at.
  for (const [width, height, scheme, i] of [
    [1280, 840, 'light', 2],
    [720, 520, 'dark', 3],
  ]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    await tell({
      kind: 'ask.opened',
      chat: 'main',
      data: {
        id: `outside-${i}`,
        kind: 'outside',
        chat: 'main',
        jobTitle: '식당 예약',
        question: 'x',
        choices: ['value', 'reject'],
        digest: 'd',
        form: {
          server: 'table',
          message: 'Which table would you like?',
          fields: [
            { name: 'seats', kind: 'integer', title: 'Seats', required: true, about: 'Children count' },
            {
              name: 'when',
              kind: 'one',
              title: 'When',
              choices: [{ value: 'n', title: 'Noon' }],
            },
            { name: 'dog', kind: 'yes_no', title: 'A dog comes along' },
          ],
        },
      },
    });
    await page.locator(of('ask-card', { ask: `outside-${i}` })).waitFor();
    await page.screenshot({ path: screenshotPath(`outside-ask-${scheme}`) });
    await tell({
      kind: 'ask.closed',
      chat: 'main',
      data: { id: `outside-${i}`, choice: 'none', by: 'system' },
    });
  }
});

test('facts, summaries, tools of outside servers, letters and readings', async (t) => {
  const { nothingCameOf, answer, shop, page } = await besieged(t);
  const real = await page.evaluate(() => window.go.main.App.Tools());
  const said = { ko: every, en: every };
  const memory = await page.evaluate(() => window.go.main.App.Memory('main'));
  const row = (text, i) => ({
    id: `l${i}`,
    at: time,
    role: i % 2 ? text : 'planner',
    provider: text,
    model: text,
    ms: 1,
    attempt: 1,
    chat: 'main',
    request: 'r',
    error: i % 3 ? undefined : text,
  });
  await answer({
    Tools: real.map((tool) => ({ ...tool, title: said, description: said, examples: payloads.slice(0, 40) })),
    Memory: {
      ...memory,
      summary: every,
      summaryAt: time,
      facts: payloads.map((text, i) => ({ id: `f${i}`, text, source: text, date: time, chat: 'main' })),
    },
    Letters: payloads.slice(0, 60).map(row),
    Readings: {
      readings: payloads.slice(0, 60).map((text, i) => ({
        id: `r${i}`,
        chat: 'main',
        at: time,
        text,
        outcome: i % 2 ? 'taken' : 'asked',
        title: text,
        offered: [text],
        guesses: [{ act: text, title: text, p: 0.5, tags: [text], why: [text], words: [text] }],
      })),
      reliability: [],
    },
    Letter: {
      row: row(every, 3),
      system: every,
      messages: payloads.map((text) => ({ role: 'user', text, content: text })),
      reply: every,
      thinking: every,
      doneReason: every,
      problem: every,
    },
  });
  const reads = ['Tools', 'Memory', 'Letters', 'Letter', 'Readings', 'Settings'];
  await shop.goTo('memory');
  await shop.sees('the facts', of('fact'), { count: 20 });
  await nothingCameOf('memory', of('memory-page'), reads);
  await shop.goTo('toolbox');
  await shop.sees('the racks', of('rack'));
  await nothingCameOf('the toolbox', 'main', reads);
  await page.locator(of('rack')).locator('button').first().click();
  await shop.sees('a manual', of('tool-drawer'));
  await nothingCameOf('the manual of a tool', of('tool-drawer'), reads);
  await page.keyboard.press('Escape');
  await shop.goTo('letters');
  await shop.sees('the letters', of('letter'));
  await page.locator(of('letter')).first().click();
  await shop.sees('one of them', of('letter-view'));
  await nothingCameOf('the letters', of('letters-page'), reads);
  await page.locator(of('reading')).first().click();
  await shop.sees('how a message was read', of('reading-view'));
  await nothingCameOf('the readings', of('letters-page'), reads);
});

test('a link is shown in full and opens only when a person says so', async (t) => {
  const { page, shop, tell } = await besieged(t);
  await tell(message('l', 'shop', '[은행](https://аррle.test/\u202egpj?a=<b>)'));
  await page.locator(`${of('chat-message')} .markdown a`).click({ button: 'middle' });
  const dialog = page.getByRole('dialog');
  await dialog.getByText('https://xn--').waitFor();
  assert.match(await dialog.innerText(), /%E2%80%AE/);
  assert.match(await dialog.innerText(), /다른 곳일 수 있어요/);
  await shop.window.screenshot('link-in-full');
  await dialog.getByRole('button', { name: '그대로 두기' }).click();
  assert.equal(await page.evaluate(() => window.__called.OpenLink), undefined);
});
