// Branches in the window: paired by address and code, away and back, and unpaired; as the shop that borrows, and as the one that lends.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { freePort } from '../lib/net.mjs';
import { OpenShop } from '../lib/open-shop.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';
import { Wire } from '../lib/wire.mjs';

const at = async (name) => ({
  'branches.address': '127.0.0.1',
  'branches.port': await freePort(),
  'branches.name': name,
});
const section = 'section[aria-labelledby="settings-branches"]';
const branch = (role, state) => of('branch', { role, state });
const rack = of('rack', { tool: 'attic__calculator' });

test('the window borrows: a code, the board, away and back, unpaired', async (t) => {
  const far = new OpenShop(t, await at('Attic'));
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'ko', theme: 'light', ...(await at('Shop')) },
  });
  await shop.goTo('settings');
  await page.locator(section).getByText('짝지은 지점이 없어요.').waitFor();
  await page.locator(section).scrollIntoViewIfNeeded();
  await window.screenshot('branches-none');
  await nothingSerious(page, 'no branch');

  // A code that pairs with nothing is said so, and what was typed stays.
  const form = page.locator(of('branch-join'));
  const [address, code] = [form.getByLabel('빌려줄 가게의 주소'), form.getByLabel('그 가게가 보여 준 코드')];
  const pair = form.getByRole('button', { name: '짝짓기' });
  const made = await far.do('branch_invite', { guest: { tools: ['calculator'], calls: 100 } });
  const wire = new Wire();
  t.after(() => wire.close());
  const there = await wire.to(made.addresses[0]);
  await address.fill(there);
  await code.fill(`${made.code}x`);
  await pair.click();
  await page.getByText('이 코드로는 짝지을 수 없어요').first().waitFor();
  assert.equal(await address.inputValue(), there);

  await code.fill(made.code);
  // What is said of it goes after seconds, however long it takes until the two are connected.
  const paired = page.getByText('‘Attic’ 지점과 짝지었어요').first();
  await Promise.all([paired.waitFor(), pair.click()]);
  await shop.sees('the branch', branch('lends', 'here'));
  const row = page.locator(of('branch'));
  await row.getByText('공구 1개').waitFor();
  assert.match(await row.innerText(), /연결됨 · .*부터/u);
  assert.equal((await address.inputValue()) + (await code.inputValue()), '');
  await row.scrollIntoViewIfNeeded();
  await window.screenshot('branches-here');

  await shop.goTo('toolbox');
  await shop.sees('the tool on the board', rack);
  assert.match(await page.locator(rack).innerText(), /Attic: 계산기/u);
  await page.locator(rack).scrollIntoViewIfNeeded();
  await window.screenshot('branches-board');

  // It moves: another shop at the new address is refused, the one that was paired is not.
  await shop.goTo('settings');
  const other = new OpenShop(t, await at('Other'));
  const moved = new Wire();
  t.after(() => moved.close());
  const dialog = page.getByRole('dialog');
  const where = dialog.getByLabel('새 주소');
  const move = dialog.getByRole('button', { name: '주소 바꾸기' });
  await row.getByRole('button', { name: 'Attic 주소 바꾸기' }).click();
  assert.equal(await where.inputValue(), there);
  const [elsewhere] = (await other.do('branch_invite', { guest: {} })).addresses;
  await where.fill(elsewhere);
  await move.click();
  await page.getByText('아닌 다른 가게가 있어요').first().waitFor();
  await window.screenshot('branches-move');
  await nothingSerious(page, 'a branch that moves');
  const next = await moved.to(made.addresses[0]);
  await where.fill(next);
  await move.click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByText(next).waitFor();
  wire.cut();
  await shop.sees('that it is there', branch('lends', 'here'));

  moved.cut();
  await shop.sees('that it is away', branch('lends', 'away'));
  assert.match(await row.innerText(), /연결 안 됨 · .*부터/u);
  await row.scrollIntoViewIfNeeded();
  await window.screenshot('branches-away');
  await nothingSerious(page, 'a branch that is away');
  moved.mend();
  await shop.sees('that it is back', branch('lends', 'here'));

  await row.getByRole('button', { name: 'Attic 짝 끊기' }).click();
  await dialog.getByText('‘Attic’ 지점과 짝을 끊을까요?').waitFor();
  await window.screenshot('branches-unpair');
  await dialog.getByRole('button', { name: '짝 끊기' }).click();
  await shop.sees('no branch', of('branch'), { count: 0 });
  await finds(page, async () => !(await window.go.main.App.Tools()).some((s) => s.key.startsWith('attic')));
  assert.equal(await overflows(page), false);
});

test('the window lends: the code goes when it is used, and what is lent is chosen after', async (t) => {
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'en', theme: 'dark', ...(await at('Shop')) },
    context: { viewport: { width: 720, height: 520 } },
  });
  const near = new OpenShop(t, await at('Cellar'));
  await shop.goTo('settings');
  const here = page.locator(section);
  await here.getByText('No branch is paired.').waitFor();
  await here.scrollIntoViewIfNeeded();
  await window.screenshot('branches-none-small');

  const invitation = page.locator(of('branch-invitation'));
  const make = page.getByRole('button', { name: 'Make a code to lend' });
  await make.click();
  await invitation.waitFor();
  await invitation.getByRole('button', { name: 'Put the code away' }).click();
  await invitation.waitFor({ state: 'detached' });
  await finds(page, async () => (await window.go.main.App.Branches()).addresses.length === 0);

  await make.click();
  await invitation.waitFor();
  const [address, code] = await invitation.locator('code').allInnerTexts();
  await invitation.scrollIntoViewIfNeeded();
  await window.screenshot('branches-code-small');
  await nothingSerious(page, 'a code to lend');
  await near.do('branch_join', { address, code });
  await shop.sees('the branch', branch('borrows', 'here'));
  await invitation.waitFor({ state: 'detached' });
  const row = page.locator(of('branch'));
  await row.getByText('Borrows no tools yet').waitFor();
  await row.scrollIntoViewIfNeeded();
  await window.screenshot('branches-lent-small');
  assert.equal(await overflows(page), false);

  await here.getByRole('button', { name: 'Choose there' }).click();
  await page.getByRole('heading', { name: 'Programs that use the shop' }).waitFor();
  await page.getByText('Cellar', { exact: true }).first().scrollIntoViewIfNeeded();
  await window.screenshot('branches-choose-small');
});
