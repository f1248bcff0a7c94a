// The page of standing orders: one is said, kept, run, skipped, changed, paused and deleted.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

test('a standing order from its example to its end', async (t) => {
  const { shop, page } = await visit(t, { settings: { lang: 'ko', theme: 'light' } });
  await shop.goTo('standing');
  await nothingSerious(page, 'no standing orders');
  await page.getByRole('button', { name: '매주 월요일 10시에 메모 목록 보여줘' }).click();
  await page.getByRole('button', { name: '네, 그렇게 해 줘' }).click();

  await shop.goTo('standing');
  const order = page.locator(of('standing-order'));
  const press = (name) => order.getByRole('button', { name }).click();
  await press(/^지금 하기/);
  await order.locator(of('standing-run', { outcome: 'run', state: 'done' })).waitFor();
  await press('이 주문의 모든 일 보기');
  await shop.sees('the job of its run', of('ticket-row', { state: 'succeeded' }));
  await page.locator(of('tickets-total')).filter({ hasText: /^1개$/ }).waitFor();
  await shop.goTo('standing');
  await press(/^이번만 건너뛰기/);
  await order.locator(of('standing-run', { outcome: 'skipped' })).waitFor();

  await press(/^때 바꾸기/);
  const change = page.locator(of('change-time'));
  await change.getByLabel('새로운 때').fill('아무 때나');
  await page.keyboard.press('Enter');
  await change.getByRole('alert').waitFor();
  await change.getByLabel('새로운 때').fill('매일 7시');
  await page.keyboard.press('Enter');
  await change.waitFor({ state: 'detached' });
  await order.getByText('매일 오전 7시').waitFor();

  await press(/^멈추기/);
  await page.locator(of('standing-order', { state: 'paused' })).waitFor();
  await order.locator('summary').click();
  await nothingSerious(page, 'a standing order');
  await page.locator(of('lang-switch')).click();
  await order.getByText('every day at 7:00 AM').waitFor();
  await page.setViewportSize({ width: 720, height: 520 });
  assert.equal(await overflows(page), false);

  await press(/^Delete/);
  await page.locator(of('remove-order')).click();
  await page.getByText('No standing orders yet').first().waitFor();

  // What was deleted comes back as it was: paused, at the time that it was given last, with its runs.
  const toast = page.locator('.toast').filter({ hasText: 'Standing order deleted' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await page.locator(of('standing-order', { state: 'paused' })).waitFor();
  await order.getByText('every day at 7:00 AM').waitFor();
  await order.locator(of('standing-run', { outcome: 'skipped' })).waitFor({ state: 'attached' });
  await toast.waitFor({ state: 'detached' });
});
