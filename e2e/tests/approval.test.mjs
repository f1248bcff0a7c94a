// A tool whose policy asks first: nothing runs before the answer, and a correction plans the step again.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const askFirst = { settings: { 'tools.calculator.confirm': 'always' } };

test('an approval names the tool and its arguments, and the tool runs after it', async (t) => {
  const { shop } = await visit(t, askFirst);
  const [job] = await shop.order('3만5천 나누기 7은?');
  const question = await shop.questionOf(job, 'approval');
  assert.match(question.text, /35,?000/, 'the arguments must be shown in full');
  await shop.answer(question, 'approve');
  await shop.jobIs(job, 'succeeded');
  await shop.sees('the result in the chat', of('chat-message', { role: 'job' }));
  const said = await shop.find(of('chat-message', { role: 'job' }));
  assert.match(said.at(-1).text, /5,?000/);
});

test('Enter and single keys never approve', async (t) => {
  const { shop, page } = await visit(t, askFirst);
  const [job] = await shop.order('3만5천 나누기 7은?');
  const question = await shop.questionOf(job, 'approval');
  await shop.sees(
    'the card to take clicks',
    `${of('ask-card', { ask: question.ask })} [data-choice="approve"]:not(:disabled)`,
  );
  assert.equal(
    await page.evaluate(() => document.activeElement?.dataset.choice),
    undefined,
    'no default focus',
  );
  for (const key of ['Enter', 'a', 'y', 'Space']) await page.keyboard.press(key);
  await shop.jobIs(job, 'waiting');
  await shop.sees('the question still open', of('ask-card', { ask: question.ask }));
});
