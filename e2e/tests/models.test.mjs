// The models page and the first run against the real backend and a model server of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { fakeModel } from '../lib/fake-model.mjs';
import { freePort } from '../lib/net.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';

const notice = (kind) => of('provider-notice', { kind, provider: 'ollama' });

test('a computer without a model: the shop works, and says what would help', async (t) => {
  const host = `http://127.0.0.1:${await freePort()}`;
  const { shop, window, page } = await visit(t, { settings: { provider: 'auto', ollama_host: host } });
  await shop.sees('the first-run card', `${of('first-run')} ${of('remedy')}`);
  await window.screenshot('first-run');
  await nothingSerious(page, 'the first run');
  await shop.goTo('models');
  await shop.sees('why there is no model', of('trouble'));
  assert.equal(await page.locator(`${of('trouble')} .primary`).count(), 1, 'one thing to do');
  await nothingSerious(page, 'the models page without Ollama');

  await shop.goTo('chat');
  await window.click(`${of('first-run')} .close button`);
  await shop.sees('the card to be gone', of('first-run'), { count: 0 });
  await page.reload();
  await shop.opened();
  await shop.sees('the examples', of('example'));
  await shop.sees('the card to stay away', of('first-run'), { count: 0 });
});

test('a wrong address is corrected where one reads of it', async (t) => {
  const [wrong, right] = [await fakeModel(t, { plain: true }), await fakeModel(t)];
  const { shop, window, page } = await visit(t, { settings: { provider: 'auto', ollama_host: wrong.host } });
  await shop.goTo('models');
  await shop.sees('what is wrong', of('trouble', { reason: 'wrong_address' }));
  await page.locator(of('ollama-address')).fill(right.host);
  await page.keyboard.press('Enter');
  await shop.sees('the trouble to be over', of('trouble'), { count: 0 });
  await shop.sees('the models of the server', of('installed', { model: 'shop:latest' }));
  await window.screenshot('models-list');
  await nothingSerious(page, 'the models page');
  assert.equal(await overflows(page), false);
});

test('a model is downloaded, paused, resumed, used, loaded and deleted', async (t) => {
  const server = await fakeModel(t, { empty: true });
  const { shop, window, page } = await visit(t, { settings: { provider: 'auto', ollama_host: server.host } });
  await shop.goTo('models');
  await shop.sees('that there is no model', of('trouble', { reason: 'no_model' }));

  // It stops in the middle until it is let go of, so it is not there before it was paused.
  await page.locator('#pull-name').fill('waits');
  await page.keyboard.press('Enter');
  const pull = (state) => `${of('pull')}[data-model^="waits"][data-state="${state}"]`;
  await shop.sees('the download', pull('pulling'));
  await window.click(`${pull('pulling')} .buttons button`);
  await shop.sees('it to stand still', pull('paused'));
  await window.screenshot('models-paused');
  for (const name of ['waits', 'waits:latest']) await server.release(name);
  await window.click(`${pull('paused')} .buttons button`);
  const model = `${of('installed')}[data-model^="waits"]`;
  await shop.sees('the model', model);
  await shop.sees('the trouble to be over', of('trouble'), { count: 0 });
  await shop.sees('it on duty', `${of('on-duty')} .where`);

  await page.locator(model).getByRole('button', { name: '메모리에 올리기' }).click();
  await shop.sees('its lamp', `${model}[data-loaded="true"]`);
  await page.locator(model).getByRole('button', { name: '메모리에서 내리기' }).click();
  await shop.sees('its lamp to go out', `${model}[data-loaded="false"]`);

  await page
    .locator(model)
    .getByRole('button', { name: /지우기$/ })
    .click();
  await window.click(of('delete-model'));
  await shop.sees('the model to be gone', model, { count: 0 });
});

test('a model of one role, and back', async (t) => {
  const server = await fakeModel(t);
  const { shop, page } = await visit(t, {
    settings: { provider: 'ollama', ollama_host: server.host, model: 'shop' },
  });
  await shop.goTo('models');
  await shop.sees('the roles', of('role', { role: 'solver' }));
  const row = page.locator(of('role', { role: 'solver' }));
  await row.getByRole('combobox').selectOption('ollama/stalls:latest');
  const reset = row.getByRole('button');
  await reset.waitFor();
  await row.getByRole('spinbutton', { name: /제한 시간/ }).fill('90');
  await page.keyboard.press('Enter');
  // A page that goes takes along what it has not sent yet.
  await finds(page, async () =>
    (await window.go.main.App.Models()).roles.some((r) => r.role === 'solver' && r.timeoutSeconds === 90),
  );
  await page.reload();
  await shop.opened();
  await shop.goTo('models');
  await reset.waitFor();
  assert.equal(await row.getByRole('combobox').inputValue(), 'ollama/stalls:latest');
  assert.equal(await row.getByRole('spinbutton', { name: /제한 시간/ }).inputValue(), '90');
  await reset.click();
  await reset.waitFor({ state: 'detached' });
  assert.equal(await row.getByRole('combobox').inputValue(), '');
});

test('a request is answered again by another model, and by one more, and each version stays', async (t) => {
  const server = await fakeModel(t);
  const { shop, window, page } = await visit(t, {
    settings: { provider: 'ollama', ollama_host: server.host, model: 'shop' },
  });
  const reply = page.locator(`${of('chat-message', { role: 'shop' })}:not([data-streaming])`);
  const at = (n) => page.getByTestId('version-at').filter({ hasText: n }).waitFor();
  /** Whose letter stands behind the reply that is there. */
  const wrote = async (model) => {
    await reply.hover();
    await reply.getByTestId('who-wrote').click();
    await page.getByTestId('written').filter({ hasText: model }).waitFor();
  };
  const answerWith = async (model) => {
    await reply.hover();
    await reply.getByTestId('again-with').click();
    await page.locator(`[role="menuitem"][data-model="${model}:latest"]`).click();
  };
  await shop.say('고마워요');
  await wrote('shop');
  const first = await reply.locator('.text').innerText();

  await answerWith('think-and-call');
  await at('2/2');
  await wrote('think-and-call');
  await window.screenshot('again-with-other');
  await answerWith('think-json');
  await at('3/3');
  await wrote('think-json');

  await page.getByTestId('version-before').click();
  await at('2/3');
  await wrote('think-and-call');
  await page.getByTestId('version-before').click();
  await at('1/3');
  await wrote('shop');
  assert.equal(await reply.locator('.text').innerText(), first);
  assert.equal(await page.locator(of('chat-message', { role: 'customer' })).count(), 1);
});

test('a key is kept and never shown again', async (t) => {
  const { shop, page } = await visit(t, { settings: { provider: 'builtin' } });
  await shop.goTo('models');
  await shop.sees('the field', of('api-key'));
  await page.locator(of('api-key')).fill('sk-e2e-secret');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '열쇠 지우기' }).waitFor();
  // That there is one is heard of before the field has its answer.
  await page.waitForFunction(() => document.querySelector('[data-testid="api-key"]').value === '');
  assert.equal((await page.content()).includes('sk-e2e-secret'), false);
  await page.getByRole('button', { name: '열쇠 지우기' }).click();
  await page.getByRole('button', { name: '열쇠 지우기' }).waitFor({ state: 'detached' });
});

test('the window says when the model goes away, and when it is back', async (t) => {
  const server = await fakeModel(t);
  const { shop, window, page } = await visit(t, {
    settings: { provider: 'ollama', ollama_host: server.host, model: 'shop' },
  });
  await shop.goTo('models');
  await shop.sees('the model on duty', `${of('on-duty')} .where`);
  await server.stop();
  await shop.sees('who went away', notice('away'));
  await window.screenshot('models-away');
  await nothingSerious(page, 'a notice');
  await shop.goTo('chat');
  const [song] = await shop.order('노래 불러줘');
  await shop.jobIs(song, 'running');
  await fakeModel(t, { port: server.port });
  await shop.sees('who is back', notice('back'));
});

test('a second server: it is added, well, changed, and answers the chat that chose its model', async (t) => {
  const [near, far] = [await fakeModel(t), await fakeModel(t)];
  const { shop, window, page } = await visit(t, {
    settings: { provider: 'auto', ollama_host: near.host, model: 'shop', lang: 'ko' },
  });
  const call = (method, ...args) => page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);
  await shop.goTo('models');
  await shop.sees('the server of this computer', of('server', { name: 'ollama', health: 'ok' }));
  await page.getByTestId('add-server').click();
  await page.getByLabel('이름', { exact: true }).fill('GPU');
  await page.getByLabel('주소', { exact: true }).fill('http://127.0.0.1:9');
  await page.getByTestId('server-form').getByRole('button', { name: '더하기' }).click();
  const gpu = page.locator(of('server', { name: 'GPU' }));
  await shop.sees('that nothing answers there', of('server', { name: 'GPU', health: 'unreachable' }));

  await gpu.getByRole('button', { name: 'GPU 고치기' }).click();
  await page.getByLabel('주소', { exact: true }).fill(far.host);
  await gpu.scrollIntoViewIfNeeded();
  await window.screenshot('servers-change');
  await nothingSerious(page, 'a server that is changed');
  await gpu.getByRole('button', { name: '고치기', exact: true }).click();
  await shop.sees('it to be well', of('server', { name: 'GPU', health: 'ok' }));
  await page.getByTestId('server-form').waitFor({ state: 'detached' });
  await gpu.getByRole('button', { name: '시험' }).click();
  await gpu.getByText('초당', { exact: false }).waitFor();
  await window.screenshot('servers-well');
  assert.equal(await overflows(page), false);

  // A role, a chat and a project are offered the models of both.
  const role = page.locator(of('role', { role: 'solver' })).getByRole('combobox');
  await role.selectOption('GPU/stalls:latest');
  await page
    .locator(of('role', { role: 'solver' }))
    .getByRole('button')
    .waitFor();
  await role.scrollIntoViewIfNeeded();
  await window.screenshot('servers-role');

  await shop.goTo('chat');
  await shop.say('고마워요');
  const written = `${of('chat-message', { role: 'shop' })}:not([data-streaming])`;
  await shop.sees('a reply', written);
  await call('RenameChat', 'main', '하나');
  await page.locator('.list li', { hasText: '하나' }).hover();
  await page
    .locator('.list li', { hasText: '하나' })
    .getByRole('button', { name: /더 보기$/ })
    .click();
  await page.getByTestId('chat-settings').click();
  await page.locator('#chat-model').selectOption('GPU/think-and-call:latest');
  await page.getByTestId('save-chat').click();
  const duty = page.getByTestId('on-duty-here');
  await duty.filter({ hasText: 'think-and-call' }).waitFor();
  await shop.say('다시 고마워요');
  await shop.sees('its reply', written, { count: 2 });
  const letters = await call('Letters', 'main', '', 50);
  assert.ok(
    letters.some((l) => l.provider === 'GPU' && l.model.startsWith('think-and-call')),
    JSON.stringify(letters.map((l) => [l.provider, l.model])),
  );

  // Who wrote it is told on demand.
  await page.locator(written).last().hover();
  await page.locator(written).last().getByTestId('who-wrote').click();
  await page
    .getByTestId('written')
    .filter({ hasText: /think-and-call.* \(GPU\)/ })
    .waitFor();
  await window.screenshot('servers-written');

  // What is chosen here stays this chat's own, and what is chosen elsewhere is for all.
  await duty.click();
  await page.getByRole('menu').getByText('이 대화에서 답할 모델').waitFor();
  await window.screenshot('servers-menu');
  await nothingSerious(page, 'who could answer');
  assert.equal(
    await page
      .getByRole('menuitemradio', { checked: true })
      .innerText()
      .then((s) => s.split('\n')[0]),
    'think-and-call:latest',
  );
  await page.locator('[role="menuitemradio"][data-model="ollama/shop:latest"]').click();
  await duty.filter({ hasText: 'shop' }).waitFor();
  await finds(page, async () =>
    (await window.go.main.App.Snapshot()).chats.some(
      (c) => c.id === 'main' && c.model === 'ollama/shop:latest',
    ),
  );
  await window.press('Control+n');
  await shop.sees('an empty chat', of('chat-message'), { count: 0 });
  await duty.click();
  await page.getByRole('menu').getByText('따로 고르지 않은').waitFor();
  await page.locator('[role="menuitemradio"][data-model="GPU/think-and-call:latest"]').click();
  await duty.filter({ hasText: 'think-and-call' }).waitFor();
  await shop.goTo('models');
  await page.waitForFunction(() => document.querySelector('[data-testid="server"]')?.dataset.name === 'GPU');

  // While its server is away another one answers, and says so in the chat whose model it has.
  await call('SetChat', 'main', { project: '', instructions: '', model: 'ollama/shop:latest' });
  await near.stop();
  await shop.sees('that it is away', of('server', { name: 'ollama', health: 'unreachable' }));
  await shop.goTo('chat');
  await page.locator('.list li .name', { hasText: '하나' }).click();
  await shop.say('아직 있나요?');
  await page.getByText('ollama 서버', { exact: false }).first().waitFor();
  await window.screenshot('servers-away');
});
