// Replies that grow, what the model thinks, what one waits for, and the letters behind all of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { fakeModel } from '../lib/fake-model.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const said = of('chat-message', { role: 'shop' });

async function visitWith(t, model, more = {}) {
  const server = await fakeModel(t);
  const settings = { provider: 'ollama', ollama_host: server.host, model, ...more };
  return { server, ...(await visit(t, { settings })) };
}

test('a reply, the letter behind it, and the same letter again', async (t) => {
  const { shop, window, page } = await visitWith(t, 'shop');
  await shop.say('오늘 기분이 어때?');
  await shop.sees('the reply', `${said}:not([data-streaming])`);
  await page.locator(said).hover();
  await page.locator(said).getByRole('button', { name: '편지 보기' }).click();
  await shop.sees('its letter', of('letter-view'));
  await shop.sees('the reply as it came', of('reply'));
  await nothingSerious(page, 'a letter');
  assert.equal(await overflows(page), false);

  const count = (await shop.find(of('letter'))).length;
  await window.click(of('replay'));
  await shop.sees('both replies', of('compare'));
  await shop.sees('the new letter in the list', of('letter'), { count: count + 1 });
  await window.screenshot('letters-replayed');
  await nothingSerious(page, 'two replies');
});

test('what the model thinks is folded and never part of the answer', async (t) => {
  const { shop, window, page } = await visitWith(t, 'think-and-call');
  await shop.say('안녕?');
  await shop.sees('the reply', `${said}:not([data-streaming])`);
  await shop.sees('that it thought', `${said} ${of('reasoning')}`);
  const fold = page.locator(`${said} ${of('reasoning')}`);
  assert.equal(await fold.evaluate((d) => d.open), false);
  assert.equal(await page.locator(`${said} .markdown`).innerText(), '안녕하세요.');
  await window.click(`${of('reasoning')} summary`);
  assert.match(await fold.innerText(), /비밀/);
  await nothingSerious(page, 'reasoning');
});

test('while one waits the chat says for what, and stopping leaves nothing behind', async (t) => {
  const { server, shop, window, page } = await visitWith(t, 'waits');
  await shop.say('천천히 답해 줘');
  await server.awaits('waits', 'running');
  await shop.sees('what one waits for', `${of('chat-status')} .dot`);
  assert.notEqual((await page.locator(of('chat-status')).innerText()).trim(), '');
  await window.screenshot('chat-waiting');
  await window.press('Escape');
  await server.awaits('waits', 'aborted');
  await shop.sees('that it was stopped', said);
  assert.equal((await shop.find(of('chat-message'))).length, 2);
  assert.equal((await shop.find(`${of('chat-message')}[data-streaming]`)).length, 0);
});

test('letters of an empty shop, and in a small window', async (t) => {
  const { shop, window, page } = await visit(t, { context: { viewport: { width: 720, height: 520 } } });
  await shop.goTo('letters');
  await page.getByRole('heading', { name: '아직 편지가 없어요' }).waitFor();
  await nothingSerious(page, 'no letters');
  await shop.goTo('chat');
  await shop.say('안녕');
  await shop.sees('the reply', said);
  await shop.goTo('letters');
  await shop.sees('the letter', of('letter'));
  await window.click(of('letter'));
  await shop.sees('what it says', of('letter-view'));
  assert.equal(
    (await shop.find(of('letter'))).some((l) => l.visible),
    false,
    'one thing at a time',
  );
  assert.equal(await overflows(page), false);
  await window.screenshot('letters-small');
});

test('how a message was read stands beside its letters, with what came near and how far to believe it', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  await shop.say('something upbeat please');
  await shop.sees('the question what is meant', `${said} button[data-action^="mean:"]`);
  await shop.say('안녕');
  await shop.sees('the greeting', said, { count: 2 });
  await shop.goTo('letters');
  await shop.sees('both readings', of('reading'), { count: 2 });
  await shop.sees('the letter of one', of('letter'));

  await window.click(of('reading', { outcome: 'asked' }));
  const reading = page.getByTestId('reading-view');
  await reading.waitFor();
  assert.match(await reading.getByTestId('reading-outcome').innerText(), /Play music/);
  const guesses = await reading.getByTestId('guess').allInnerTexts();
  assert.ok(guesses.length >= 2, 'the nearest other readings, too');
  assert.match(guesses[0], /노래 틀기[\s\S]*%/);
  assert.match(await reading.getByTestId('reliability').innerText(), /100번 가운데 \d+번/);
  await nothingSerious(page, 'a reading');
  assert.equal(await overflows(page), false);
  await window.screenshot('letters-reading');

  await window.click(of('letter'));
  await page.getByTestId('letter-reading').locator('summary').click();
  assert.ok((await page.getByTestId('letter-reading').getByTestId('guess').count()) >= 2);
  await nothingSerious(page, 'a letter with its reading');
});
