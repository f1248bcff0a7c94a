// Folders of chats: made from a chat's menu, named, folded, filled by menu and by dragging, found by the search, and gone without their chats.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

const toast = '.toaster .toast';
const call = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);
const row = (page, title) => page.locator('.list li', { hasText: title });
const name = (page, title) => row(page, title).locator('.name');
const until = (page, look, arg) =>
  finds(
    page,
    async ([body, a]) => new Function('s', 'a', `return ${body}`)(await window.go.main.App.Snapshot(), a),
    [look, arg],
  );
const within = (page, chat, group) =>
  until(page, '(s.chats.find((c) => c.title === a[0]).project ?? "") === a[1]', [chat, group]);

async function talks({ page, window }, ...titles) {
  for (const [i, title] of titles.entries()) {
    if (i > 0) {
      const { id } = await call(page, 'NewChat');
      await call(page, 'RenameChat', id, title);
    } else await call(page, 'RenameChat', 'main', title);
  }
  await window.press('Control+n');
  for (const title of titles) await name(page, title).waitFor();
}

async function menu(page, title, more = /더 보기$|more$/i) {
  await row(page, title).hover();
  await row(page, title).getByRole('button', { name: more }).click();
}

test('a folder is made from a chat, filled, folded, and gone without its chats', async (t) => {
  const visitor = await visit(t);
  const { page, shop, window, again } = visitor;
  await shop.say('안녕');
  await shop.sees('the reply', `${of('chat-message', { role: 'shop' })}:not([data-streaming])`);
  await talks(visitor, '하나', '둘', '셋');

  await menu(page, '하나');
  await page.getByTestId('to-project').click();
  await page.getByTestId('new-folder').click();
  const field = page.getByRole('textbox', { name: '폴더 이름' });
  await field.waitFor();
  await page.waitForFunction(() => document.activeElement?.selectionEnd > 0);
  await page.keyboard.type('우리 집');
  await page.keyboard.press('Enter');
  const head = page.getByTestId('folder').filter({ hasText: '우리 집' });
  await head.waitFor();
  const [{ id, folder }] = await call(page, 'Projects');
  assert.equal(folder, true);
  await within(page, '하나', id);

  // By dragging, and out again by its menu.
  // What is taken hold of must not move under the pointer: a chat that goes to another shelf is drawn there a moment after the shop has it.
  const shelf = page.locator('.shelf', { has: head });
  await shelf.locator('.name', { hasText: '하나' }).waitFor();
  await name(page, '둘').dragTo(head);
  await within(page, '둘', id);
  await shelf.locator('.name', { hasText: '둘' }).waitFor();
  await window.screenshot('chat-folder');
  await nothingSerious(page, 'a folder of chats');
  await menu(page, '둘');
  await page.getByTestId('to-project').click();
  await page.getByTestId('take-out').click();
  await within(page, '둘', '');
  await page.locator('.shelf', { hasNot: head }).locator('.name', { hasText: '둘' }).waitFor();
  await name(page, '둘').dragTo(head);
  await within(page, '둘', id);
  await shelf.locator('.name', { hasText: '둘' }).waitFor();

  // Folded it stays folded, and what is said within is found with its folder's name.
  await head.locator('[data-group]').click();
  await shelf.locator('.name').first().waitFor({ state: 'detached' });
  const later = await again();
  const there = later.page.getByTestId('folder');
  await there.locator('[data-group][aria-expanded="false"]').waitFor();
  assert.match(await there.innerText(), /우리 집\s*2/);
  await name(later.page, '셋').waitFor();
  assert.equal(await row(later.page, '하나').count(), 0);
  await later.window.screenshot('chat-folder-folded');
  await later.page.keyboard.press('Control+k');
  await later.page.locator(`${of('search')}:focus`).waitFor();
  await later.page.keyboard.type('하나');
  await later.page.locator(of('hit', { kind: 'chat' }), { hasText: '우리 집' }).waitFor();
  await later.page.keyboard.press('Escape');

  // Taken away with a key; the chats stay, and a press brings it back with them.
  await there.locator('[data-group]').press('Delete');
  await there.waitFor({ state: 'detached' });
  await later.page.waitForFunction(() => document.activeElement?.matches('.list .name[data-chat]'));
  await name(later.page, '하나').waitFor();
  await name(later.page, '둘').waitFor();
  await later.page
    .locator(toast, { hasText: '대화 2개는 목록에 있어요' })
    .getByRole('button', { name: '되돌리기' })
    .click();
  await there.waitFor();
  await within(later.page, '하나', id);
  await within(later.page, '둘', id);
});

test('a folder in English at a small size: keys alone rename, fold and make it a project', async (t) => {
  const visitor = await visit(t, {
    settings: { lang: 'en', theme: 'dark' },
    context: { viewport: { width: 720, height: 520 } },
  });
  const { page, shop, window } = visitor;
  await shop.say('hello');
  await shop.sees('the reply', `${of('chat-message', { role: 'shop' })}:not([data-streaming])`);
  await call(page, 'RenameChat', 'main', 'Rent');
  const { id } = await call(page, 'SaveProject', {
    ...{ id: '', title: 'Home', instructions: '', model: '', folders: [], shelves: [] },
    folder: true,
  });
  await call(page, 'SetChat', 'main', { project: id, instructions: '', model: '' });
  await page.keyboard.press('Control+b');
  const head = page.getByTestId('folder');
  // In its folder: it is drawn anew there, and would lose the focus.
  await page.locator('.shelf', { has: head }).locator('.name', { hasText: 'Rent' }).waitFor();
  await name(page, 'Rent').focus();
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction((group) => document.activeElement?.dataset.group === group, id);
  await page.keyboard.press('F2');
  await head.getByRole('textbox', { name: 'Name of the folder' }).waitFor();
  await page.waitForFunction(() => document.activeElement.selectionEnd > 0);
  await page.keyboard.type('House');
  await page.keyboard.press('Enter');
  await until(page, "s.projects.some((p) => p.title === 'House')");
  await page.waitForFunction((group) => document.activeElement?.dataset.group === group, id);
  await head.getByRole('button', { name: /: more$/i }).click();
  await page.getByTestId('rename-folder').click();
  await page.waitForFunction(() => document.activeElement?.selectionEnd > 0);
  await page.keyboard.press('Escape');
  await page.waitForFunction((group) => document.activeElement?.dataset.group === group, id);
  await page.keyboard.press('ArrowLeft');
  await head.locator('[data-group][aria-expanded="false"]').waitFor();
  await until(page, 's.projects[0].folded');
  await page.keyboard.press('ArrowRight');
  await name(page, 'Rent').waitFor();
  await window.screenshot('chat-folder-720');
  await nothingSerious(page, 'a folder at a small size');
  assert.equal(await overflows(page), false);

  await head.getByRole('button', { name: /: more$/i }).click();
  await page.getByTestId('folder-to-project').click();
  await page.locator('#project-instructions').fill('Keep it short');
  await page.getByTestId('save-project').click();
  await page.getByTestId('project').filter({ hasText: 'House' }).waitFor();
  await head.waitFor({ state: 'detached' });
  assert.deepEqual(
    await until(page, 's.projects.map((p) => [p.id, p.title, p.instructions, p.folder ?? false])'),
    [[id, 'House', 'Keep it short', false]],
  );
});
