// The order in which conversations are kept: the list by keyboard and by dragging, projects and what becomes of their chats, a chat's own
// instructions and model, what the search leads to, a title that gives way, and chats that come from elsewhere.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { archive } from '../lib/documents.mjs';
import { drop, dragAway, dragOver } from '../lib/drop.mjs';
import { fakeModel } from '../lib/fake-model.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

const mine = of('chat-message', { role: 'customer' });
const written = `${of('chat-message', { role: 'shop' })}:not([data-streaming])`;
const toast = '.toaster .toast';
const call = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);
const row = (page, title) => page.locator('.list li', { hasText: title });
const name = (page, title) => row(page, title).locator('.name');
const chatOf = async (page, title) => (await call(page, 'Snapshot')).chats.find((c) => c.title === title);
const until = (page, look, arg) =>
  finds(
    page,
    async ([body, a]) => new Function('s', 'a', `return ${body}`)(await window.go.main.App.Snapshot(), a),
    [look, arg],
  );

/** Says something in chats of their own, and calls them so. */
async function talks({ page, shop, window }, ...titles) {
  for (const [i, title] of titles.entries()) {
    if (i > 0) {
      await window.press('Control+n');
      await shop.sees('an empty chat', of('chat-message'), { count: 0 });
    }
    await shop.say(`안녕, ${title}`);
    await shop.sees('the reply', written);
    const { chats } = await call(page, 'Snapshot');
    const { id } = chats.find((c) => c.messages.some((m) => m.text === `안녕, ${title}`));
    await call(page, 'RenameChat', id, title); // or it names itself, whenever it comes to it
    await page.locator(`.list .name:text-is("${title}")`).waitFor(); // its own name holds these words, too
  }
}

test('the list of chats is walked, a chat named and taken away with keys alone', async (t) => {
  const visitor = await visit(t);
  const { page, shop } = visitor;
  await talks(visitor, '하나', '둘', '셋');
  const onTitle = (title) =>
    page.waitForFunction((text) => document.activeElement?.textContent.trim() === text, title);
  assert.equal(await page.locator('.list .name[tabindex="0"]').count(), 1, 'one stop for Tab');
  await name(page, '셋').focus();
  await page.keyboard.press('ArrowDown');
  await onTitle('둘');
  await page.keyboard.press('End');
  await onTitle('하나');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.locator(mine, { hasText: '안녕, 둘' }).waitFor();

  await name(page, '둘').focus();
  await page.keyboard.press('F2');
  await page.locator('.list input').waitFor();
  await page.waitForFunction(() => getSelection().toString() || document.activeElement.selectionEnd > 0);
  await page.keyboard.type('둘째');
  await page.keyboard.press('Enter');
  await onTitle('둘째');
  await until(page, 's.chats.some((c) => c.title === a)', '둘째');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: '지우기' }).waitFor();
  await page.keyboard.press('Escape');
  await name(page, '둘째').focus();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: '지우기' }).press('Enter');
  await page.locator(toast, { hasText: '둘째' }).waitFor();
  await row(page, '둘째').and(page.locator(':has([data-chat])')).waitFor({ state: 'detached' });
});

test('a chat is dragged into a project and out of it; a project goes and leaves its chats', async (t) => {
  const visitor = await visit(t);
  const { page, window, again } = visitor;
  await talks(visitor, '하나', '둘');
  const one = (await chatOf(page, '하나')).id;
  await call(page, 'SaveProject', {
    id: '',
    title: '이사',
    instructions: '',
    model: '',
    folders: [],
    shelves: [],
  });
  const shelf = page.locator('.shelf', { has: page.getByTestId('project') });
  await shelf.getByTestId('empty-project').waitFor();
  const within = (id) =>
    until(page, '(s.chats.find((c) => c.id === a[0]).project ?? "") === a[1]', [one, id]);
  const [{ id }] = await call(page, 'Projects');
  await name(page, '하나').dragTo(shelf.getByTestId('project'));
  await within(id);
  await shelf.locator('.name', { hasText: '하나' }).waitFor();
  await window.screenshot('project-dragged');
  await name(page, '하나').dragTo(name(page, '둘'));
  await within('');
  await shelf.getByTestId('empty-project').waitFor();

  await name(page, '하나').dragTo(shelf.getByTestId('project'));
  await within(id);
  await shelf.getByRole('button', { name: /이사$/ }).last().click();
  await page.getByRole('button', { name: '프로젝트 없애기' }).click();
  await page
    .getByRole('dialog', { name: '프로젝트를 없앨까요?' })
    .getByRole('button', { name: '프로젝트 없애기' })
    .click();
  await page.getByTestId('project').waitFor({ state: 'detached' });
  await name(page, '하나').waitFor();
  const later = await again();
  await name(later.page, '하나').click();
  await later.page.locator(mine, { hasText: '안녕, 하나' }).waitFor();
  assert.equal((await chatOf(later.page, '하나')).project ?? '', '');
});

test('what a chat is told of its own, and its model, reach the letters of this chat alone', async (t) => {
  const server = await fakeModel(t);
  const { page, shop, window } = await visit(t, {
    settings: { provider: 'ollama', ollama_host: server.host, model: 'shop' },
  });
  await shop.say('고마워요');
  await shop.sees('a reply', written);
  await call(page, 'RenameChat', 'main', '하나');
  await row(page, '하나').hover();
  await row(page, '하나')
    .getByRole('button', { name: /더 보기$/ })
    .click();
  await page.getByTestId('chat-settings').click();
  await page.locator('#chat-instructions').fill('존댓말로 짧게 답하기');
  // The models are listed as soon as the server has told them.
  const option = page.locator('#chat-model option').filter({ hasText: /^think-field/ });
  await option.first().waitFor({ state: 'attached' });
  const other = await option.first().innerText();
  await page.locator('#chat-model').selectOption({ label: other });
  await window.screenshot('chat-own');
  await nothingSerious(page, "a chat's own settings");
  await page.getByTestId('save-chat').click();
  await until(page, "s.chats.find((c) => c.id === 'main').model !== ''");
  await shop.say('그럼 다시 고마워요');
  await shop.sees('a second reply', written, { count: 2 });
  const told = async (chat) => {
    const list = await call(page, 'Letters', chat, '', 50);
    return list.filter((l) => l.model);
  };
  const letters = await told('main');
  assert.ok(
    letters.some((l) => l.model.startsWith('think-field')),
    JSON.stringify(letters.map((l) => l.model)),
  );
  const whole = await call(page, 'Letter', letters.find((l) => l.model.startsWith('think-field')).id);
  assert.match(JSON.stringify(whole), /존댓말로 짧게 답하기/);

  // Whoever else could answer is offered, by whatever server has them.
  const reply = page.locator(written).last();
  await reply.hover();
  await reply.getByTestId('again-with').click();
  await page.locator('[role="menuitem"][data-model^="think-field"]').waitFor();
  await page.keyboard.press('Escape');

  await window.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  await shop.say('여기는 다른 대화예요');
  await shop.sees('its reply', written);
  const rest = (await call(page, 'Letters', '', '', 50)).find((l) => l.chat && l.chat !== 'main' && l.model);
  assert.equal(rest.model.split(':')[0], 'shop');
  assert.doesNotMatch(JSON.stringify(await call(page, 'Letter', rest.id)), /존댓말로 짧게/);
});

test('a chat is kept before the others, put away and brought back, from its menu', async (t) => {
  const visitor = await visit(t);
  const { page, window, again } = visitor;
  await talks(visitor, '하나', '둘');
  const titles = () => page.locator('.list .name').allInnerTexts();
  assert.deepEqual(await titles(), ['둘', '하나']);
  const choose = async (where, title, item) => {
    await row(where, title).hover();
    await row(where, title)
      .getByRole('button', { name: /더 보기$/ })
      .click();
    await where.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await choose(page, '하나', '위에 고정하기');
  await page.locator('.list h2', { hasText: '고정' }).waitFor();
  await page.waitForFunction(() => document.querySelector('.list .name').textContent.trim() === '하나');
  await window.screenshot('chat-pinned');

  const later = await again();
  await name(later.page, '하나').waitFor();
  assert.match((await later.page.locator('.list .name').allInnerTexts())[0], /하나/);
  await choose(later.page, '하나', '고정 풀기');
  await until(later.page, 's.chats.every((c) => !c.pinned)');
  // Its line comes to stand elsewhere, and would take the menu with it.
  await later.page.locator('.list h2', { hasText: '고정' }).waitFor({ state: 'detached' });
  await choose(later.page, '하나', '보관하기');
  const away = later.page.getByTestId('archived-chats');
  await away.filter({ hasText: '(1)' }).waitFor();
  await away.locator('summary').click();
  await later.window.screenshot('chat-archived');
  await choose(later.page, '하나', '보관에서 꺼내기');
  await away.waitFor({ state: 'detached' });
  await name(later.page, '하나').click();
  await later.page.locator(mine, { hasText: '안녕, 하나' }).waitFor();
  assert.ok((await chatOf(later.page, '하나')).archived !== true);
});

test('the form of a project keeps its instructions, model, folders, shelves and facts, and lets go of them', async (t) => {
  const server = await fakeModel(t);
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-project-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { page, window } = await visit(t, {
    settings: { provider: 'ollama', ollama_host: server.host, model: 'shop', lang: 'en', theme: 'dark' },
    context: { viewport: { width: 720, height: 520 } },
  });
  await call(page, 'OpenFolder', folder, false, '');
  await call(page, 'AddShelf', folder, 'Leases', '');
  await call(page, 'SaveProject', {
    id: '',
    title: 'Move',
    instructions: '',
    model: '',
    folders: [],
    shelves: [],
  });
  await page.keyboard.press('Control+b'); // the side bar is folded at this size
  const open = () =>
    page
      .getByRole('button', { name: /: Move$/ })
      .last()
      .click();
  await open();
  const form = page.getByTestId('project-form');
  await page.locator('#project-instructions').fill('Keep it short');
  await page.locator('#project-model option', { hasText: /^think-and-call/ }).waitFor({ state: 'attached' });
  await page.locator('#project-model').selectOption('ollama/think-and-call:latest');
  await form.getByRole('checkbox', { name: basename(folder) }).check();
  await form.getByRole('checkbox', { name: 'Leases' }).check();
  await page.locator('#project-fact').fill('We move on 3 May');
  await page.locator('#project-fact').press('Enter');
  const fact = page.getByRole('button', { name: 'Forget: We move on 3 May' });
  await fact.waitFor();
  await window.screenshot('project-form-720');
  await nothingSerious(page, 'the form of a project');
  assert.equal(await overflows(page), false);
  await page.getByTestId('save-project').click();
  await form.waitFor({ state: 'detached' });
  const [{ id, ...kept }] = await call(page, 'Projects');
  assert.deepEqual(
    [kept.instructions, kept.model, kept.folders.length, kept.shelves.length],
    ['Keep it short', 'ollama/think-and-call:latest', 1, 1],
  );

  await open();
  assert.equal(await page.locator('#project-model').inputValue(), 'ollama/think-and-call:latest');
  assert.equal(await form.getByRole('checkbox', { name: 'Leases' }).isChecked(), true);
  await fact.click();
  await fact.waitFor({ state: 'detached' });
  await form.getByRole('checkbox', { name: 'Leases' }).uncheck();
  await page.locator('#project-model').selectOption('');
  await page.getByTestId('save-project').click();
  await form.waitFor({ state: 'detached' });
  const [bare] = await call(page, 'Projects');
  assert.deepEqual([bare.id, bare.model, bare.shelves ?? []], [id, '', []]);
});

test('the search leads to a ticket, to a document, and does a command', async (t) => {
  const { page, shop } = await visit(t);
  const [sum] = await shop.order('12 곱하기 34는?');
  await shop.jobIs(sum, 'succeeded');
  const look = async (words, kind) => {
    await page.keyboard.press('Control+k');
    await page.locator(`${of('search')}:focus`).waitFor();
    await page.keyboard.type(words);
    await page.locator(of('hit', { kind })).first().waitFor();
    await page.getByTestId('search-shelf').selectOption(kind);
    await page.waitForFunction(
      (k) => document.querySelector('[data-testid="hit"]')?.dataset.kind === k,
      kind,
    );
    await page.getByTestId('search').press('Enter');
  };
  await look('12', 'job');
  await shop.sees('its panel', of('job-panel', { job: sum }));
  await page.keyboard.press('Escape');
  await look('임대차', 'document');
  await page.locator(of('reader'), { hasText: '임대차' }).waitFor();
  await page.keyboard.press('Escape');
  await shop.goTo('chat');
  await look('새 대화', 'command');
  await shop.sees('a new chat', of('chat-message'), { count: 0 });
});

test('a title that a model thinks about gives way at once to what the customer says', async (t) => {
  const server = await fakeModel(t);
  const { page, shop } = await visit(t, {
    settings: {
      provider: 'ollama',
      ollama_host: server.host,
      model: 'waiting-title',
    },
  });
  await shop.say('임대차 계약서 이야기를 하자');
  await shop.sees('the reply', written);
  await server.awaits('waiting-title', 'running'); // nobody wants the model: the title is asked for
  await shop.say('보증금도 궁금해');
  await server.awaits('waiting-title', 'aborted');
  await shop.sees('the second reply', written, { count: 2 });
  await server.awaits('waiting-title', 'running'); // and is asked for anew
  await server.release('waiting-title');
  await server.awaits('waiting-title', 'done');
  await name(page, '임대차 계약서').waitFor();
  assert.equal(await page.locator(toast).count(), 0, 'nobody is told of it');
});

test('chats from elsewhere are shown before they come, by a drop or by the button, and come once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'agentchat-import-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const zip = (file, conversations) => {
    const path = join(folder, file);
    writeFileSync(path, archive(['conversations.json', JSON.stringify(conversations)]));
    return path;
  };
  const claude = zip('claude.zip', [
    {
      uuid: 'u-1',
      name: '쌀밥 짓기',
      created_at: '2024-05-01T10:00:00Z',
      chat_messages: [
        {
          uuid: 'm1',
          sender: 'human',
          text: '밥은 어떻게 지어?',
          created_at: '2024-05-01T10:00:01Z',
          files: [{ file_name: 'pot.jpg' }],
        },
        {
          uuid: 'm2',
          sender: 'assistant',
          text: '물을 맞춰요.',
          created_at: '2024-05-01T10:00:02Z',
          parent_message_uuid: 'm1',
        },
      ],
    },
  ]);
  const node = (id, parent, role, text, children) => ({
    id,
    parent,
    children,
    message: role && {
      id,
      author: { role },
      create_time: 1700000001,
      content: { content_type: 'text', parts: [text] },
      recipient: 'all',
      metadata: {},
    },
  });
  const gpt = zip('chatgpt.zip', [
    {
      title: '여행 계획',
      create_time: 1700000000.5,
      conversation_id: 'c-1',
      id: 'c-1',
      current_node: 'a2',
      mapping: {
        root: node('root', null, undefined, '', ['q1']),
        q1: node('q1', 'root', 'user', '부산 어때?', ['a1', 'a2']),
        a1: node('a1', 'q1', 'assistant', '부산은 바다예요.', []),
        a2: node('a2', 'q1', 'assistant', '해운대가 좋아요.', []),
      },
    },
  ]);
  const { page, shop, window } = await visit(t, { context: { viewport: { width: 720, height: 520 } } });
  await shop.goTo('settings');
  await dragOver(page);
  await page.locator(of('drop-target'), { hasText: '무엇이 있는지 보여' }).waitFor();
  await window.screenshot('import-over');
  await dragAway(page);
  await drop(page, [claude]);
  const found = page.getByTestId('chats-found');
  await found.filter({ hasText: '새 대화 1개, 메시지 2개' }).waitFor();
  assert.match(await found.innerText(), /Claude[\s\S]*쌀밥 짓기[\s\S]*첨부 1개는 파일에 없어요/);
  await window.screenshot('import-found');
  await nothingSerious(page, 'what an import would bring');
  assert.equal(await overflows(page), false);
  const titles = async () => (await call(page, 'Snapshot')).chats.map((c) => c.title);
  await page.getByRole('button', { name: '그만두기' }).click();
  await found.waitFor({ state: 'detached' });
  assert.ok(!(await titles()).includes('쌀밥 짓기'), 'nothing came before a yes');
  await drop(page, [claude]);
  await page.getByTestId('bring-chats').click();
  await page.locator(toast, { hasText: '대화 1개, 메시지 2개' }).waitFor();
  assert.ok((await titles()).includes('쌀밥 짓기'));

  // The other answer of the same question is a chat of its own.
  await drop(page, [gpt]);
  await found.filter({ hasText: 'ChatGPT에서 받은 파일' }).waitFor();
  await page.getByTestId('bring-chats').click();
  await until(page, "s.chats.filter((c) => c.title.startsWith('여행 계획')).length === 2");
  await drop(page, [gpt]);
  await page.locator(toast, { hasText: '새로 가져올 대화가 없어요' }).waitFor();
  const wrong = join(folder, 'no.zip');
  writeFileSync(wrong, 'no zip');
  await drop(page, [wrong]);
  await page.locator(`${toast}.error`).waitFor();

  // What came can be read and is found.
  await page.keyboard.press('Control+k');
  await page.locator(`${of('search')}:focus`).waitFor();
  await page.keyboard.type('해운대');
  await page.locator(of('hit', { kind: 'message' })).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.message.hit', { hasText: '해운대가 좋아요' }).waitFor();
});
