// An outside server that asks the model for words: off until it is switched on for that server, and each time a person sees all of it first.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { fakeModel } from '../lib/fake-model.mjs';
import { inRepo } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const words = {
  ko: {
    sampling: '모델에게 글을 부탁할 수 있음',
    save: '저장',
    whole: '모델에게 갈 말 전부예요',
    ask: '이름 하나 받아 줘',
  },
  en: {
    sampling: 'May ask the model for words',
    save: 'Save',
    whole: 'all that the model would be asked',
    ask: 'fetch a name',
  },
};

for (const [lang, t9n] of ways(Object.entries(words), import.meta.url))
  each(`a server asks the model, with leave (${lang})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'agentchat-sampling-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = (name, what) => {
      writeFileSync(join(folder, name), JSON.stringify(what));
      return join(folder, name);
    };
    const tools = file('tools.json', [
      {
        name: 'ask_model',
        description: 'Makes a name.',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      },
    ]);
    const todo = {
      title: 'Name',
      tool: 'names__ask_model',
      request: 'name',
      args: { text: 'Name a table <b>now</b>' },
    };
    const rules = file('rules.json', [
      {
        role: 'planner',
        contains: t9n.ask,
        reply: JSON.stringify({
          route: 'jobs',
          reply: lang === 'ko' ? '할게요.' : 'I will.',
          jobs: [{ title: 'Name', todos: [todo] }],
        }),
      },
      { role: 'outside', reply: 'Window Seat' },
    ]);
    const model = await fakeModel(t, { rules });
    const { shop, window, page } = await visit(t, {
      settings: { lang, provider: 'ollama', ollama_host: model.host, model: 'shop' },
    });
    await page.evaluate(
      (text) => window.go.main.App.SetMCP(text),
      JSON.stringify({
        mcpServers: {
          names: { command: process.execPath, args: [inRepo('e2e/lib/outside-server.mjs'), tools] },
        },
      }),
    );
    await shop.goTo('outside');
    await shop.sees(
      'a server that needs consent',
      of('outside-server', { server: 'names', state: 'needs_consent' }),
    );
    await page.getByTestId('consent').click();
    await shop.sees('a server that is ready', of('outside-server', { server: 'names', state: 'ready' }));

    await page.getByTestId('change-server').click();
    const form = page.getByTestId('change-form');
    const may = form.getByRole('switch', { name: t9n.sampling });
    await may.waitFor();
    assert.equal(await may.getAttribute('aria-checked'), 'false', 'off by default');
    await may.click();
    await nothingSerious(page, 'the switch');
    for (const [width, height] of [
      [720, 520],
      [1280, 840],
    ]) {
      await page.setViewportSize({ width, height });
      await may.scrollIntoViewIfNeeded();
      await window.screenshot(`sampling-switch-${lang}-${width}`);
      assert.equal(await overflows(page), false);
    }
    await form.getByRole('button', { name: t9n.save, exact: true }).click();
    await form.waitFor({ state: 'detached' });
    await shop.sees(
      'the same server, with nothing to agree to again',
      of('outside-server', { server: 'names', state: 'ready' }),
    );

    await shop.goTo('chat');
    const [job] = await shop.order(t9n.ask);
    await shop.answer(await shop.questionOf(job, 'approval'), 'approve');
    await shop.openJob(job);
    const asks = `${of('job-panel', { job })} ${of('ask-card', { kind: 'outside' })}`; // the job runs on meanwhile
    await shop.sees('the question', asks);
    const question = (await shop.find(asks)).find((c) => c.visible);
    const card = page.locator(`${of('job-panel')} ${of('ask-card', { ask: question.ask })}`);
    for (const part of [t9n.whole, 'Answer in one line.', 'Name a table <b>now</b>', '60', 'names'])
      assert.ok((await card.innerText()).includes(part), part);
    await nothingSerious(page, 'the card');
    for (const [width, height] of [
      [720, 520],
      [1280, 840],
    ]) {
      await page.setViewportSize({ width, height });
      await window.screenshot(`sampling-card-${lang}-${width}`);
      assert.equal(await overflows(page), false);
    }
    await shop.answer(question, 'value');
    await shop.jobIs(job, 'succeeded');
    const letters = await page.evaluate((id) => window.go.main.App.Letters('', id, 50), job);
    const one = letters.filter((l) => l.role === 'outside');
    assert.equal(one.length, 1);
    assert.match(one[0].request, /^‘names’ /);
    await page.locator(of('job-panel')).getByText('Window Seat').first().waitFor();
  });
