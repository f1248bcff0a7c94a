// The service counter in the window: the form in the chat, the bank's books, and what is remembered.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

/** Says something as a customer does and waits for the shop's answer. */
const sayer = (shop) => async (text) => {
  const answers = of('chat-message', { role: 'shop' });
  const before = (await shop.find(answers)).length;
  await shop.say(text);
  await shop.sees(`an answer to “${text}”`, answers, { count: before + 1 });
};

test('a transfer: the form fills, waits for the word, and the books show it', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  const say = sayer(shop);
  const slip = page.getByTestId('slip');

  await say('엄마한테 보내줘');
  await page.waitForSelector('[data-testid="slip"][data-stage="FILLING"]');
  assert.match(await slip.innerText(), /받는 분[\s\S]*엄마/);
  assert.match(await slip.innerText(), /금액[\s\S]*아직 비어 있어요/);
  await window.screenshot('counter-filling');

  await say('마이너스 천원');
  await page.waitForFunction(() =>
    document.querySelector('[data-testid="slip"]')?.textContent.includes('1원 이상'),
  );
  await say('3만원');
  await page.waitForSelector('[data-testid="slip"][data-stage="READY"]');
  await say('아니 5만원으로');
  await page.waitForFunction(() =>
    document.querySelector('[data-testid="slip"]')?.textContent.includes('5만원'),
  );
  await nothingSerious(page, 'a form at the counter');
  await window.screenshot('counter-ready');

  assert.match(await page.getByTestId('after').innerText(), /95만원/);

  // The form survives a reload, and its button confirms once.
  await page.reload();
  await page.waitForSelector('[data-testid="slip"][data-stage="READY"]');
  await slip.getByRole('button', { name: '5만원 보내기' }).click();
  await page.waitForFunction(() => document.body.textContent.includes('이체가 완료됐어요.'));
  await page.waitForSelector('[data-testid="slip"]', { state: 'detached' });

  await shop.goTo('bank');
  await page.waitForFunction(
    () => document.querySelector('[data-testid="balance"]')?.textContent.trim() === '950,000원',
  );
  assert.match(await page.getByTestId('statement').innerText(), /엄마[\s\S]*50,000원/);
  await nothingSerious(page, 'the bank');
  await window.screenshot('bank');

  await shop.goTo('memory');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[data-testid="fact"]')].some((f) => f.textContent.includes('엄마')),
  );
  await window.screenshot('memory');
});

test('two transfers: one is skipped, one is scheduled and called off', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  const say = sayer(shop);
  const slip = page.getByTestId('slip');
  // A yes counts for what has been in sight long enough to be read, typed or pressed.
  const read = () => page.waitForSelector('[data-testid="slip"][data-stage="READY"] button:enabled');

  await say('엄마한테 만원, 용걸이한테 5만원 보내줘');
  await page.waitForSelector('[data-testid="slip"][data-stage="READY"]');
  assert.match(await slip.innerText(), /2건 중 1번째/);
  await window.screenshot('counter-batch');
  await say('취소');
  await page.waitForFunction(() =>
    document.querySelector('[data-testid="slip"]')?.textContent.includes('2건 중 2번째'),
  );
  await read();
  await say('확인');
  await page.waitForSelector('[data-testid="slip"]', { state: 'detached' });

  await say('총 얼마 보냈어?');
  await page.waitForFunction(() => document.body.textContent.includes('총 5만원'));

  await say('모레 엄마한테 2만원 보내줘'); // not tomorrow, which may begin before it is called off
  await page.waitForSelector('[data-testid="slip"][data-stage="READY"]');
  await read();
  await say('확인');
  await page.waitForSelector('[data-testid="slip"]', { state: 'detached' });
  await shop.goTo('bank');
  await page.getByTestId('scheduled').getByRole('button', { name: '예약 취소' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '예약 취소' }).click();
  await page.waitForFunction(() => !document.querySelector('[data-testid="scheduled"]'));
  await page.locator('.toast').getByRole('button', { name: '되돌리기' }).click();
  await page.getByTestId('scheduled').getByRole('button', { name: '예약 취소' }).waitFor();
  await page.getByTestId('scheduled').getByRole('button', { name: '예약 취소' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '예약 취소' }).click();
  await page.waitForFunction(() => !document.querySelector('[data-testid="scheduled"]'));
  assert.equal(await overflows(page), false);
});

test('the address book, facts and the counter page', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'en' } });
  await shop.goTo('bank');
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Grandma');
  await page.getByLabel('Nicknames').fill('granny, nana');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByTestId('payee').filter({ hasText: 'Grandma' }).waitFor();

  await shop.goTo('memory');
  await page.getByLabel('Something to remember').fill('I cannot eat peanuts');
  await page.getByRole('button', { name: 'Write down' }).click();
  const fact = page.getByTestId('fact').filter({ hasText: 'peanuts' });
  await fact.waitFor();
  await fact.getByRole('button', { name: 'Forget “I cannot eat peanuts”' }).click();
  await fact.waitFor({ state: 'detached' });

  await shop.goTo('services');
  await page.getByRole('heading', { name: /^Transfer/ }).waitFor();
  await nothingSerious(page, 'the counter page');
  await window.screenshot('services');
});
