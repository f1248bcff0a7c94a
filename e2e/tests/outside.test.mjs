// Outside tools in the window: nothing of a server is usable before a person agreed to exactly what is shown.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { archive } from '../lib/documents.mjs';
import { drop } from '../lib/drop.mjs';
import { inRepo } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const tool = (name, description, more = {}) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to write down' } },
    required: ['text'],
  },
  ...more,
});
const first = [
  tool('write_note', 'Writes a note into the notebook.'),
  tool('read_notes', 'Reads the notebook.', { annotations: { readOnlyHint: true } }),
];

/** A file of tools that a server of ours lends, and the mcp.json that names it. */
function lender(t) {
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-outside-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'tools.json');
  // In one go: the server looks at its file at any moment, and half of one is none.
  const lend = (tools) => {
    writeFileSync(`${file}.new`, JSON.stringify(tools));
    renameSync(`${file}.new`, file);
  };
  lend(first);
  const settings = {
    mcpServers: {
      notes: {
        command: process.execPath,
        args: [inRepo('e2e/lib/outside-server.mjs'), file],
        env: { NOTES_KEY: 'sk-very-secret-12345' },
      },
    },
  };
  return { lend, text: JSON.stringify(settings, null, 2) };
}

const server = (state) => of('outside-server', { server: 'notes', state });
const inBox = (page) =>
  page.evaluate(async () =>
    (await window.go.main.App.Tools()).map((s) => s.key).filter((k) => k.includes('notes')),
  );

test('an outside server: named, consented to, changed, taken back', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  const { lend, text } = lender(t);
  await shop.goTo('outside');
  await page.getByText('아직 바깥 공구가 없어요').first().waitFor();
  await nothingSerious(page, 'no outside tools');
  await window.screenshot('outside-empty');
  const [title, words] = await page.evaluate(() => {
    const left = (node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect().left;
    };
    const sheet = document.querySelector('[data-testid=outside-page]');
    return [left(sheet.querySelector('h1')), left(sheet.querySelector('button.quiet'))];
  });
  assert.ok(Math.abs(title - words) < 1, 'the words of a quiet button begin where the line begins');

  await page.getByRole('button', { name: '글로 보기' }).click();
  const box = page.getByTestId('mcp-editor').getByRole('textbox');
  await box.fill('{"mcpServers": {"notes": {"comand": "x"}}}');
  await page.getByRole('button', { name: '저장' }).click();
  await page.getByTestId('mcp-editor').getByRole('alert').filter({ hasText: 'comand' }).waitFor();
  await window.screenshot('outside-wrong');
  await box.fill(text);
  await page.getByRole('button', { name: '저장' }).click();

  await shop.sees('a server that needs consent', server('needs_consent'));
  await shop.sees('both tools', of('outside-tool', { state: 'new' }), { count: 2 });
  assert.deepEqual(await inBox(page), [], 'nothing is usable yet');
  await nothingSerious(page, 'a server that needs consent');
  await window.screenshot('outside-consent');
  await page.getByTestId('consent').click();
  await shop.sees('a server that is ready', server('ready'));
  assert.equal((await inBox(page)).length, 2);

  // One letter more, and that tool is out until somebody has read it again.
  lend([tool('write_note', 'Writes a note into the notebook, and mails it.'), first[1]]);
  await shop.sees('a tool that changed', of('outside-tool', { state: 'changed' }));
  assert.match(
    await page
      .locator(`${of('outside-tool', { state: 'changed' })} .new mark`)
      .allInnerTexts()
      .then((m) => m.join('')),
    /and mails it/,
  );
  assert.equal((await inBox(page)).length, 1);
  await nothingSerious(page, 'a tool that changed');
  await window.screenshot('outside-changed');
  await page.getByTestId('consent').click();
  await shop.sees('a server that is ready', server('ready'));

  await page.getByRole('button', { name: '글로 보기' }).click();
  assert.doesNotMatch(await box.inputValue(), /very-secret/, 'a secret stays covered');
  await page.getByRole('button', { name: '저장' }).click();
  await page.getByTestId('mcp-editor').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'notes에 준 동의 거두기' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '동의 거두기' }).click();
  await shop.sees('a server that needs consent again', server('needs_consent'));
  assert.deepEqual(await inBox(page), []);
  assert.equal(await overflows(page), false);
});

test('consent that was given to something else counts for nothing', async (t) => {
  const { shop, page } = await visit(t, { settings: { lang: 'en' } });
  const { text } = lender(t);
  await shop.goTo('outside');
  await page.evaluate((s) => window.go.main.App.SetMCP(s), text);
  await shop.sees('a server that needs consent', server('needs_consent'));
  const refused = await page.evaluate(() =>
    window.go.main.App.ConsentMCP('notes', 'f'.repeat(64)).then(
      () => '',
      (e) => String(e.message ?? e),
    ),
  );
  assert.notEqual(refused, '');
  assert.deepEqual(await inBox(page), []);
});

test('an outside server without JSON: pasted, seen, started, removed', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-outside-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'tools.json');
  writeFileSync(file, JSON.stringify(first));
  await shop.goTo('outside');
  const paste = page.getByTestId('paste-outside');
  await paste.fill('이건 그냥 말이에요');
  await page.getByRole('button', { name: '읽어 보기' }).click();
  await page
    .getByTestId('add-outside')
    .getByRole('alert')
    .filter({ hasText: '바깥 공구로 읽을 수 없어요' })
    .waitFor();
  await paste.fill(
    `NOTES_KEY=<your key> '${process.execPath}' '${inRepo('e2e/lib/outside-server.mjs')}' <folder>`,
  );
  await page.getByRole('button', { name: '읽어 보기' }).click();
  const card = page.getByTestId('proposal').first();
  const start = card.getByRole('button', { name: '이 명령 실행하기' });
  await start.waitFor();
  assert.equal(await start.isDisabled(), true, 'a key and a folder are missing');
  assert.deepEqual((await page.evaluate(() => window.go.main.App.MCP())).servers ?? [], []);
  await card.getByLabel('이름').fill('notes');
  await card.locator('input[type=password]').fill('sk-very-secret-12345');
  await card.getByLabel('folder', { exact: true }).fill(file);
  await card.getByTestId('proposal-line').filter({ hasText: file }).waitFor();
  assert.doesNotMatch(await card.innerText(), /very-secret/);
  await nothingSerious(page, 'a proposal');
  await window.screenshot('outside-proposal');
  await start.click();
  await shop.sees('a server that needs consent', server('needs_consent'));
  await page.getByTestId('consent').click();
  await shop.sees('a server that is ready', server('ready'));
  assert.equal((await inBox(page)).length, 2);
  const settings = await page.evaluate(async () => (await window.go.main.App.MCP()).text);
  assert.doesNotMatch(settings, /very-secret/);

  // It rests while it is switched off, and is changed in a form that holds none of its keys.
  const turned = page.getByRole('switch', { name: 'notes 서버 켜 두기' });
  await turned.click();
  await shop.sees('a server that rests', server('disabled'));
  assert.deepEqual(await inBox(page), []);
  const other = join(folder, 'others.json');
  writeFileSync(other, JSON.stringify(first.slice(0, 1)));
  await page.getByTestId('change-server').click();
  const form = page.getByTestId('change-form');
  assert.equal(await form.getByLabel('NOTES_KEY', { exact: true }).inputValue(), '');
  assert.equal(await form.getByLabel('함께 넘기는 말 2', { exact: true }).inputValue(), file);
  await nothingSerious(page, 'a server that is changed');
  for (const [width, height] of [
    [720, 520],
    [1280, 840],
  ]) {
    await page.setViewportSize({ width, height });
    await form.scrollIntoViewIfNeeded();
    await window.screenshot(`outside-change-${width}`);
    assert.equal(await overflows(page), false);
  }
  await form.getByLabel('함께 넘기는 말 2', { exact: true }).fill(other);
  await form.getByTestId('proposal-line').filter({ hasText: other }).waitFor();
  await form.getByRole('button', { name: '저장' }).click();
  await form.waitFor({ state: 'detached' });
  await turned.click();
  await shop.sees('another command that needs consent', server('needs_consent'));
  await page.getByTestId('consent').click();
  await shop.sees('a server that is ready', server('ready'));
  assert.equal((await inBox(page)).length, 1);
  assert.doesNotMatch(await page.evaluate(async () => (await window.go.main.App.MCP()).text), /very-secret/);

  // Called otherwise it is the same server: nobody is asked again, and its tool stays in the box.
  const same = await inBox(page);
  await page.getByTestId('change-server').click();
  assert.equal(await form.getByLabel('이름', { exact: true }).inputValue(), 'notes');
  await form.getByLabel('이름', { exact: true }).fill('내 수첩');
  await form.locator('button[type=submit]:not([disabled])').click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: '내 수첩' }).waitFor();
  await shop.sees('a server that is still agreed to', server('ready'));
  assert.deepEqual(await inBox(page), same);
  await window.screenshot('outside-called');
  await page.getByTestId('change-server').click();
  await form.getByLabel('이름', { exact: true }).fill('notes');
  await form.locator('button[type=submit]:not([disabled])').click();
  await page.getByRole('heading', { name: 'notes' }).waitFor();
  await shop.sees('a server that is still agreed to', server('ready'));

  await page.getByTestId('add-server').click();
  await page.getByTestId('catalogue-entry').first().waitFor();
  await window.screenshot('outside-add');
  assert.equal(await overflows(page), false);
  await page.getByRole('button', { name: 'notes 서버 지우기' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '서버 지우기' }).click();
  await shop.sees('no server', of('outside-server'), { count: 0 });
  assert.deepEqual(await inBox(page), []);
});

test('a bundle is dropped, filled in, unpacked only then, and removed', async (t) => {
  for (const [lang, theme, width, height] of [
    ['ko', 'light', 1280, 840],
    ['en', 'dark', 720, 520],
  ]) {
    const { shop, window, page } = await visit(t, { settings: { lang, theme } });
    const say = (ko, en) => (lang === 'ko' ? ko : en);
    await page.setViewportSize({ width, height });
    const folder = mkdtempSync(join(tmpdir(), 'agentchat-bundle-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'tools.json'), JSON.stringify(first));
    const file = join(folder, 'notes.mcpb');
    const manifest = {
      manifest_version: '0.3',
      name: 'notes',
      display_name: 'Notebook',
      version: '2.0.1',
      description: 'Keeps notes in a folder.',
      author: { name: 'Kim' },
      server: {
        type: 'node',
        entry_point: 'server/index.mjs',
        mcp_config: {
          command: 'node',
          args: ['${__dirname}/server/index.mjs', '${user_config.list}'],
          env: { NOTES_KEY: '${user_config.key}' },
        },
      },
      user_config: {
        list: { type: 'file', title: say('목록', 'List'), required: true },
        key: { type: 'string', title: say('열쇠', 'Key'), sensitive: true, required: true },
      },
    };
    writeFileSync(
      file,
      archive(
        ['manifest.json', JSON.stringify(manifest)],
        ['server/index.mjs', readFileSync(inRepo('e2e/lib/outside-server.mjs'))],
      ),
    );
    await shop.goTo('outside');
    await drop(page, [file]);
    const card = page.getByTestId('proposal').first();
    await card.getByText('Notebook 2.0.1').waitFor();
    const start = card.getByRole('button', { name: say('이 명령 실행하기', 'Run this command') });
    assert.equal(await start.isDisabled(), true, 'a list and a key are missing');
    await card.getByLabel(say('목록', 'List')).fill(join(folder, 'tools.json'));
    await card.locator('input[type=password]').fill('sk-very-secret-12345');
    await card.getByTestId('proposal-line').filter({ hasText: 'tools.json' }).waitFor();
    await nothingSerious(page, 'a bundle');
    await card.scrollIntoViewIfNeeded();
    await window.screenshot(`bundle-${lang}`);
    await start.click();
    await shop.sees('a server that needs consent', server('needs_consent'));
    await page.getByTestId('consent').click();
    await shop.sees('a server that is ready', server('ready'));
    assert.equal((await inBox(page)).length, 2);
    assert.doesNotMatch(
      await page.evaluate(async () => (await window.go.main.App.MCP()).text),
      /very-secret/,
    );
    assert.equal(await overflows(page), false);
    await page.getByRole('button', { name: say('notes 서버 지우기', 'Remove the server notes') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('서버 지우기', 'Remove the server') })
      .click();
    await shop.sees('no server', of('outside-server'), { count: 0 });
    assert.deepEqual(await inBox(page), []);
  }
});

test('a program is let in from the page, and taken out again', async (t) => {
  for (const [lang, theme, width, height] of [
    ['ko', 'light', 1280, 840],
    ['en', 'dark', 720, 520],
  ]) {
    const { shop, window, page } = await visit(t, { settings: { lang, theme, 'guests.port': 0 } });
    const say = (ko, en) => (lang === 'ko' ? ko : en);
    await page.setViewportSize({ width, height });
    await shop.goTo('outside');
    const section = page.getByTestId('guests');
    await section.getByRole('switch').click();
    await section.getByText('http://127.0.0.1').waitFor();
    await section.getByRole('button', { name: say('프로그램 넣기', 'Add a program') }).click();
    const form = page.getByTestId('guest-form');
    await form.getByRole('textbox').fill('Claude Desktop');
    await form.getByLabel(say('계산기', 'Calculator')).check();
    await form.getByLabel(say('하루에 바꾸는 파일', 'Files it changes a day')).fill('20');
    await form.getByLabel(say('하루에 보내는 돈(원)', 'Money it sends a day (won)')).fill('50000');
    await nothingSerious(page, 'letting a program in');
    await window.screenshot(`guests-form-${lang}`);
    await form.getByRole('button', { name: say('저장', 'Save') }).click();
    const key = page.getByTestId('guest-key');
    assert.match(await key.innerText(), /AGENTCHAT_MCP_KEY/);
    await nothingSerious(page, 'a key');
    await key.scrollIntoViewIfNeeded();
    await window.screenshot(`guests-key-${lang}`);
    assert.equal(await overflows(page), false);
    await key.getByRole('button', { name: say('옮겨 적었어요', 'I have put it there') }).click();
    await shop.sees('the program', of('guest'));
    const given = await page.getByTestId('guest').innerText();
    assert.match(given, lang === 'ko' ? /20개까지.*50,000원까지/s : /of 20 files.*of 50,000 won/s);
    await window.screenshot(`guests-${lang}`);
    await section.getByRole('button', { name: say('빼기', 'Remove') }).click();
    const remove = page.getByRole('dialog').getByRole('button', { name: say('빼기', 'Remove') });
    await remove.click();
    await shop.sees('nobody', of('guest'), { count: 0 });
  }
});
