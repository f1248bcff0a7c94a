// What was allowed is seen and taken back, what is forbidden does not happen, and the audit log tells both.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const askFirst = { 'tools.calculator.confirm': 'first' };
const small = { viewport: { width: 720, height: 520 } };

test('a permission holds until it is taken back', async (t) => {
  const { shop, window, page } = await visit(t, { settings: askFirst });
  const [first] = await shop.order('3만5천 나누기 7은?');
  await shop.answer(await shop.questionOf(first, 'approval'), 'approve');
  await shop.jobIs(first, 'succeeded');

  await shop.goTo('permissions');
  await shop.sees('the permission', of('grant', { tool: 'calculator' }));
  await nothingSerious(page, 'permissions');
  await window.screenshot('permissions-grant');

  await shop.goTo('chat');
  await shop.jobIs(first, 'succeeded'); // the chat is there with its tickets
  const [second] = await shop.order('3만5천 나누기 7은?');
  await shop.jobIs(second, 'succeeded');

  await shop.goTo('permissions');
  await page
    .getByTestId('grant')
    .getByRole('button', { name: /허락 거두기/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: '거두기' }).click();
  await shop.sees('no permission any more', of('grant'), { count: 0 });

  await shop.goTo('chat');
  await shop.jobIs(second, 'succeeded');
  const [third] = await shop.order('3만5천 나누기 7은?');
  await shop.questionOf(third, 'approval');
});

test('a rule that denies is written, refused when it is wrong, and kept in the audit log', async (t) => {
  const { shop, window, page } = await visit(t, {
    settings: { lang: 'en', theme: 'dark' },
    context: small,
  });
  await shop.goTo('permissions');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const rule = page.getByTestId('rule');
  await rule.getByRole('radio', { name: 'Deny' }).click();
  const tool = rule.getByLabel('Rule 1: Tool', { exact: true });
  const several = rule.getByLabel('Rule 1: By a name you write');
  await tool.selectOption({ label: 'All file tools' });
  assert.equal(await tool.inputValue(), 'file_*');
  assert.equal(await several.count(), 0, 'tools that go together are chosen, not written');
  await tool.selectOption({ label: 'By a name you write' });
  await several.fill('not a key!');
  await page.getByRole('button', { name: 'Save the rules' }).click();
  await page.getByTestId('rules').getByRole('alert').filter({ hasText: 'rule 1' }).waitFor();
  await several.fill('calc*');
  await rule.getByRole('button', { name: 'Add a condition' }).click();
  await rule.getByLabel('Which value').selectOption({ label: 'sum' });
  await rule.getByLabel('How it compares').selectOption('like');
  await rule.getByLabel('Compared with').fill('*');
  await nothingSerious(page, 'a rule that is written');
  await rule.scrollIntoViewIfNeeded();
  await window.screenshot('permissions-rule');
  await page.getByRole('button', { name: 'Save the rules' }).click();
  await page.getByRole('button', { name: 'Save the rules' }).waitFor({ state: 'detached' });
  assert.equal(await overflows(page), false);
  assert.deepEqual(await page.evaluate(async () => (await window.go.main.App.Permissions()).rules), [
    { tool: 'calc*', when: [{ arg: 'expression', op: 'like', value: '*' }], decision: 'deny' },
  ]);

  await shop.goTo('chat');
  const [job] = await shop.order('35000 divided by 7?');
  await shop.jobIs(job, 'failed');
  await shop.goTo('audit');
  const entry = page.locator(of('audit-entry', { outcome: 'denied', tool: 'calculator' }));
  await entry.locator('summary').click();
  await entry
    .locator('dd')
    .first()
    .getByText('a rule that denies Calculator when sum looks like “*”')
    .waitFor();
  assert.doesNotMatch(await entry.innerText(), /deny calc/, 'nobody reads how a rule is kept');
  await nothingSerious(page, 'an entry of the audit log');
  await window.screenshot('audit-denied');
  assert.equal(await overflows(page), false);

  await page.getByLabel('Outcome').selectOption('done');
  await page.getByText('No entries match these filters.').first().waitFor();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await entry.waitFor();
});
