// Favourites: one is kept from a message with a blank, said by its name, asked about, found, scheduled, changed, deleted and taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

test('a favourite from the message it was kept of to its end', async (t) => {
  const { shop, page } = await visit(t, { settings: { lang: 'ko', theme: 'light' } });
  const box = page.locator(of('composer'));
  const said = (text) => page.locator(of('chat-message', { role: 'customer' })).filter({ hasText: text });
  /** What is asked for a blank, so many times in the chat by now: it is also read aloud. */
  const asked = (times) =>
    page
      .locator(of('chat-message', { role: 'shop' }))
      .filter({ hasText: '무엇을 계산할까요?' })
      .nth(times - 1)
      .waitFor();
  const blankChosen = () =>
    page.waitForFunction(() => {
      const { value, selectionStart: from, selectionEnd: to } = document.activeElement;
      return value?.slice(from, to) === '{식}';
    });
  await box.fill('3만5천 나누기 7은?');
  await page.keyboard.press('Enter');
  await said('3만5천 나누기 7은?').waitFor();

  // The star beside what was said; what the shop recognised becomes a blank by one click.
  await said('3만5천').hover();
  await said('3만5천').locator(of('keep-favourite')).click();
  const form = page.locator(of('favourite-form'));
  await form.getByLabel('이름').fill('계산');
  await form.getByRole('button', { name: /빈칸 ‘식’/ }).click();
  assert.equal(await form.getByLabel('할 말').inputValue(), '{식}은?');
  await nothingSerious(page, 'keeping a favourite');
  await form.getByRole('button', { name: '두기', exact: true }).click();
  await form.waitFor({ state: 'detached' });

  // By its name, with the caret in the blank.
  await box.pressSequentially('/계');
  await page.locator(of('favourite-list')).getByRole('option', { name: /계산/ }).waitFor();
  await nothingSerious(page, 'the list behind a slash');
  await page.keyboard.press('Enter');
  await blankChosen();
  await page.keyboard.type('12 곱하기 12');
  await page.keyboard.press('Enter');
  await said('12 곱하기 12은?').waitFor();

  // Left blank, it is asked until it fits.
  await box.pressSequentially('/계');
  await page.locator(of('favourite-list')).getByRole('option').waitFor();
  await page.keyboard.press('Enter');
  await blankChosen();
  await page.keyboard.press('Enter');
  await asked(1);
  await box.fill('안녕');
  await page.keyboard.press('Enter');
  await asked(2);
  await box.fill('7 더하기 8');
  await page.keyboard.press('Enter');
  await said('7 더하기 8은?').waitFor();

  await shop.goTo('favourites');
  const row = page.locator(of('favourite'));
  await row.getByRole('button', { name: /^고치기/ }).click();
  await form.getByLabel('이름').fill('셈');
  await nothingSerious(page, 'a favourite');
  await page.setViewportSize({ width: 720, height: 520 });
  assert.equal(await overflows(page), false);
  await form.getByRole('button', { name: '두기', exact: true }).click();
  await row.getByText('/셈').waitFor();

  // What does not say how often is refused; the rest is the card of a standing order, once the blank is filled.
  await row.locator(of('schedule-favourite')).click();
  await page.getByLabel('언제마다').fill('언젠가');
  await page.keyboard.press('Enter');
  await row.getByRole('alert').waitFor();
  await page.getByLabel('언제마다').fill('매일 8시에');
  await page.keyboard.press('Enter');
  await asked(3);
  await box.fill('1 더하기 1');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '네, 그렇게 해 줘' }).waitFor();

  // Found and run by the search.
  await page.keyboard.press('Control+k');
  await page.locator(of('search')).fill('셈');
  await page.locator(of('hit', { kind: 'favourite' })).click();
  await blankChosen();
  await box.fill('');

  await shop.goTo('favourites');
  await row.getByRole('button', { name: /^지우기/ }).click();
  await page.getByRole('button', { name: '되돌리기' }).click();
  await row.waitFor();
  await row.getByRole('button', { name: /^지우기/ }).click();
  await page.getByText('아직 단골이 없어요').first().waitFor();
  await page.locator(`${of('favourites-trash')} summary`).click();
  await page.getByRole('button', { name: '되살리기: 셈' }).click();
  await row.waitFor();
});
