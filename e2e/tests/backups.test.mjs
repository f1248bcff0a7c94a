// Everything of a shop moves to a new computer in one file, by the buttons of the settings page and the system's own dialogs: it is backed up, saved, looked into
// there, restored, and works there. And all chats leave in one file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { choose, putAway, saveIn } from '../lib/dialog.mjs';
import { texts } from '../lib/documents.mjs';
import { dragOver, drop, letGo } from '../lib/drop.mjs';
import { inRepo } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const toast = '.toaster .toast';
const mine = of('chat-message', { role: 'customer' });
const written = `${of('chat-message', { role: 'shop' })}:not([data-streaming])`;
const call = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);

const words = {
  ko: {
    sum: '3만5천 나누기 7은?',
    first: '안녕',
    second: '고마워',
    edit: '고쳐서 다시 보내기',
    note: '우유 사기',
    ask: '제5조 내용이 뭐야?',
    project: '이사',
    now: '지금 백업',
    made: '백업을 만들었어요',
    save: '파일 하나로 저장',
    bring: '파일에서 되돌리기',
    back: '되돌리기',
    keep: '그대로 두기',
    off: '되돌리지 않기',
    quit: '프로그램 닫기',
    all: '모든 대화 저장',
    replaced: '되돌리기 전',
    saved: '저장했어요',
    contents: /대화\s+2\s+1[\s\S]*문서\s+4\s+3[\s\S]*메모\s+1\s+0/,
    coffee: 'coffee 신청',
  },
  en: {
    sum: 'what is 35000 divided by 7?',
    first: 'hello',
    second: 'thank you',
    edit: 'Edit and resend',
    note: 'buy milk',
    ask: '제5조 내용이 뭐야?',
    project: 'moving',
    now: 'Back up now',
    made: 'The backup was made',
    save: 'Save as one file',
    bring: 'Restore from a file',
    back: 'Restore',
    keep: 'Leave as is',
    off: 'Do not restore',
    quit: 'Close the program',
    all: 'Save all chats',
    replaced: 'before a restore',
    saved: 'Saved as',
    contents: /Chats\s+2\s+1[\s\S]*Documents\s+4\s+3[\s\S]*Notes\s+1\s+0/,
    coffee: 'coffee request',
  },
};

/** A folder that goes with the test. */
function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'agentchat-moves-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** An outside server of ours, as a person's mcp.json names it. */
function outside(dir) {
  const tools = join(dir, 'tools.json');
  writeFileSync(
    tools,
    JSON.stringify([
      { name: 'read_notes', description: 'Reads the notebook.', inputSchema: { type: 'object' } },
    ]),
  );
  const server = { command: process.execPath, args: [inRepo('e2e/lib/outside-server.mjs'), tools] };
  return JSON.stringify({ mcpServers: { notes: server } });
}

const ready = of('outside-server', { server: 'notes', state: 'ready' });

/** Goes to a section of the settings. */
async function settings({ shop, page }, section) {
  await shop.goTo('settings');
  await page.locator(`#settings-${section}`).scrollIntoViewIfNeeded();
}

/** Saves in a folder by the dialog that is open, and sees what is said of it: only for seconds, while the dialog is still seen to go. */
const savedIn = (page, says, ...dialog) =>
  Promise.all([page.locator(toast, says).waitFor(), saveIn(...dialog)]);

/** Opens a chat that is found in the list by what it stands in. */
async function open({ page }, shelf) {
  const chat = page.locator(shelf).locator('.name').first();
  if (page.viewportSize().width < 1000) await page.keyboard.press('Control+b'); // a narrow window puts the list away
  await chat.click();
}

/** Says something, and says it anew. */
async function reworded({ shop, page }, w) {
  await shop.say(w.first);
  await shop.sees('the reply', written);
  const line = page.locator(mine, { hasText: w.first });
  await line.hover();
  await line.getByRole('button', { name: w.edit, exact: true }).click();
  await page.locator(of('composer')).fill(w.second);
  await page.keyboard.press('Enter');
  await page.getByTestId('version-at').filter({ hasText: '2/2' }).waitFor();
}

/** What a person has: said, said anew, allowed, written down, brought in, set. */
async function furnished({ shop, page }, w, dir) {
  const [job] = await shop.order(w.sum);
  await shop.answer(await shop.questionOf(job, 'approval'), 'approve');
  await shop.jobIs(job, 'succeeded');

  await page.keyboard.press('Escape'); // the job's panel
  await shop.sees('no panel', of('job-panel'), { count: 0 });
  await page.keyboard.press('Control+n');
  await shop.sees('an empty chat', of('job-card'), { count: 0 });
  await reworded({ shop, page }, w);

  const project = { id: '', title: w.project, instructions: 'Answer in rhymes.', model: '' };
  const { id } = await call(page, 'SaveProject', { ...project, folders: [], shelves: [] });
  const chats = (await call(page, 'Snapshot')).chats;
  const chat = chats.find((c) => c.id !== 'main').id;
  await call(page, 'SetChat', chat, { project: id, instructions: '', model: '' });

  await shop.goTo('notes');
  const box = page.locator('[data-testid="notes-page"] textarea').first();
  await box.fill(w.note);
  await box.press('Control+Enter');
  await page.getByTestId('note').filter({ hasText: w.note }).waitFor();

  const contract = join(dir, '근로계약서.txt');
  writeFileSync(contract, '제4조(시간) 하루 8시간 일한다.\n제5조(임금) 월급은 300만원으로 한다.\n');
  await shop.goTo('library');
  await drop(page, [contract]);
  await page.locator('[data-testid="import"][data-state="done"]').waitFor({ timeout: 60_000 });

  await shop.goTo('outside');
  await shop.sees('the consent', of('consent'));
  await page.getByTestId('consent').click();
  await shop.sees('an outside server that is ready', ready);

  await shop.goTo('settings');
  await page.locator(`[data-key="solve.max_iterations"] input`).fill('17');
  await page.keyboard.press('Tab');
  await finds(page, async () =>
    (await window.go.main.App.Settings()).some((s) => s.key === 'solve.max_iterations' && s.value === 17),
  );
}

/** Sees all of it, and that it works. */
async function thereAll({ shop, page }, w) {
  const [project] = await call(page, 'Projects');
  assert.equal(project.instructions, 'Answer in rhymes.');
  await shop.goTo('chat');
  await open({ page }, `.shelf:has(${of('project')}):has-text("${w.project}")`);
  await page.locator(mine, { hasText: w.second }).waitFor();
  await page.getByTestId('version-before').click();
  await page.getByTestId('version-at').filter({ hasText: '1/2' }).waitFor();
  await page.locator(mine, { hasText: w.first }).waitFor();

  // What was allowed in the other chat is asked about no more.
  await open({ page }, `.shelf:not(:has(${of('project')}))`);
  await page.locator(mine, { hasText: w.sum }).waitFor();
  const [job] = await shop.order(w.sum);
  await shop.jobIs(job, 'succeeded');
  await shop.goTo('permissions');
  await shop.sees('the permission', of('grant', { tool: 'calculator' }));

  await shop.goTo('notes');
  await page.getByTestId('note').filter({ hasText: w.note }).waitFor();

  await shop.goTo('outside');
  await shop.sees('the outside server, which was consented to', ready);

  await shop.goTo('services');
  await page.getByRole('heading', { name: w.coffee }).waitFor();

  await shop.goTo('settings');
  assert.equal(await page.locator(`[data-key="solve.max_iterations"] input`).inputValue(), '17');

  await shop.goTo('chat');
  const trails = page.getByTestId('trail');
  const before = await trails.count();
  await shop.say(w.ask);
  await trails.nth(before).waitFor();
  assert.match(await page.getByTestId('chat-message').last().innerText(), /월급은 300만원/);
}

for (const { lang, theme, width, height } of ways(
  [
    { lang: 'ko', theme: 'light', width: 1280, height: 840 },
    { lang: 'en', theme: 'dark', width: 720, height: 520 },
  ],
  import.meta.url,
)) {
  const look = `${lang}-${theme}-${width}`;
  each(`everything moves to a new computer in one file, ${look}`, async (t) => {
    const w = words[lang];
    const dir = folder(t);
    const context = { viewport: { width, height }, reducedMotion: 'reduce' };
    const old = await visit(t, {
      settings: { lang, theme, 'tools.calculator.confirm': 'first' },
      context,
      prepare: (data) => {
        writeFileSync(join(data, 'mcp.json'), outside(dir));
        execFileSync(inRepo('scripts/new-service.sh'), ['coffee', join(data, 'services')]);
      },
    });
    await furnished(old, w, dir);

    await settings(old, 'backups');
    await old.window.screenshot(`backups-${look}-none`);
    await old.page.getByRole('button', { name: w.now }).click();
    await old.page.locator(toast, { hasText: w.made }).waitFor();
    await old.shop.sees('the backup', of('backup'));
    await nothingSerious(old.page, 'backups');
    assert.equal(await overflows(old.page), false);
    await old.page.getByTestId('backup').scrollIntoViewIfNeeded();
    await old.window.screenshot(`backups-${look}-made`);

    await old.page.getByRole('button', { name: w.save }).click();
    const shot = `backups-${look}-save`;
    await savedIn(old.page, { hasText: w.saved }, old.env, w.save, dir, { shot });
    await old.window.screenshot(`backups-${look}-saved`);
    const [file] = readdirSync(dir).filter((name) => name.endsWith('.zip'));
    assert.match(file, /^agentchat-\d{4}-\d\d-\d\d\.zip$/);

    // The new computer. Nothing changes by a look, nor before the next start.
    const fresh = await visit(t, { settings: { lang, theme }, context });
    await settings(fresh, 'backups');
    const bring = fresh.page.getByRole('button', { name: w.bring });
    await bring.click();
    await putAway(fresh.env, w.bring);
    await fresh.page.locator(`${of('backup-contents')}`).waitFor({ state: 'detached' });
    await dragOver(fresh.page);
    await fresh.shop.sees('where to drop it', of('drop-target'));
    await letGo(fresh.page, [join(dir, file)]);
    const contents = fresh.page.getByTestId('backup-contents');
    await contents.waitFor();
    assert.match(await contents.innerText(), w.contents);
    await nothingSerious(fresh.page, 'what is in a backup');
    await fresh.window.screenshot(`backups-${look}-contents`);
    const dialog = fresh.page.getByRole('dialog');
    assert.match(await dialog.innerText(), /notes: /);
    await dialog.getByRole('button', { name: w.keep }).click();
    await contents.waitFor({ state: 'detached' });

    await bring.click();
    await choose(fresh.env, w.bring, join(dir, file), { shot: `backups-${look}-open` });
    await dialog.getByRole('button', { name: w.back, exact: true }).click();
    await contents.waitFor({ state: 'detached' });
    // Until then it stands there that something waits, and it can be called off.
    const waits = fresh.page.getByTestId('restoring');
    await waits.scrollIntoViewIfNeeded();
    await fresh.window.screenshot(`backups-${look}-set`);
    await nothingSerious(fresh.page, 'a restore that waits');
    assert.deepEqual((await call(fresh.page, 'Projects')).length, 0);
    await waits.getByRole('button', { name: w.off }).click();
    await waits.waitFor({ state: 'detached' });
    await bring.click();
    await choose(fresh.env, w.bring, join(dir, file));
    await dialog.getByRole('button', { name: w.back, exact: true }).click();
    await waits.waitFor();

    await waits.getByRole('button', { name: w.quit }).click();
    assert.equal(await fresh.window.app.ended, 0);
    await fresh.window.context.close();
    fresh.window.complaints.length = 0; // of a page whose program ended
    const moved = await fresh.again();
    await thereAll(moved, w);
    await settings(moved, 'backups');
    await moved.page.getByTestId('backup').filter({ hasText: w.replaced }).waitFor();
    await moved.page.getByTestId('backup').first().scrollIntoViewIfNeeded();
    await moved.window.screenshot(`backups-${look}-moved`);
  });
}

test('all chats leave in one file, and one chat as JSON, with what it was before', async (t) => {
  const w = words.ko;
  const dir = folder(t);
  const visitor = await visit(t, { settings: { lang: 'ko' } });
  const { shop, window, page, env } = visitor;
  await settings(visitor, 'chats');
  await page.getByTestId('export-chats').click();
  // There is nothing to be saved yet.
  await Promise.all([page.locator(`${toast}.error`).waitFor(), saveIn(env, w.all, dir)]);
  assert.deepEqual(readdirSync(dir), []);
  await page.locator(`${toast}.error button`).click();

  await shop.goTo('chat');
  await reworded(visitor, w);
  await page.keyboard.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  await shop.say('또 안녕');
  await shop.sees('the reply', written);

  await settings(visitor, 'chats');
  await page.getByTestId('export-chats').click();
  await savedIn(page, { hasText: w.saved }, env, w.all, dir);
  await window.screenshot('export-chats');
  const [file] = readdirSync(dir);
  const all = texts(readFileSync(join(dir, file)));
  const chats = Object.entries(all).filter(([name]) => name.endsWith('.json'));
  assert.equal(chats.length, 2, Object.keys(all).join(', '));
  assert.equal(Object.keys(all).filter((name) => name.endsWith('.md')).length, 2);

  await shop.goTo('chat');
  await page.locator('.list li', { hasText: w.second }).first().hover();
  await page.locator('.list li', { hasText: w.second }).locator('.chat-more').first().click();
  await page.locator(of('export-chat')).click();
  await page.locator('[data-format="json"]').waitFor();
  await nothingSerious(page, 'the kinds of files');
  await window.screenshot('export-chat-kinds');
  await page.locator('[data-format="json"]').click();
  await savedIn(page, { hasText: '.json' }, env, '저장할 곳', dir);
  const alone = readFileSync(
    join(
      dir,
      readdirSync(dir).find((name) => name.endsWith('.json')),
    ),
    'utf8',
  );
  const { messages, versions } = JSON.parse(alone);
  const said = (list) => list.filter((m) => m.role === 'customer').map((m) => m.text);
  assert.deepEqual([said(messages), said(versions[0].messages)], [[w.second], [w.first]]);
  assert.ok(chats.some(([, text]) => JSON.parse(text).versions?.[0].request === versions[0].request));
});
