// The pager: a phone is paired by the picture in the window, shows what waits and what runs, and answers it; and is attacked.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { screenshotPath } from '../lib/paths.mjs';
import { card, link, paired, phone } from '../lib/phone.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

async function opened(t, settings) {
  // What has the monitor goes on for as long as the test takes, on a slow machine, too: with its end the questions about it end.
  const shown = await visit(t, { settings: { 'pager.open': true, 'pager.port': 0, pace: 0.1, ...settings } });
  return { ...shown, link: () => link(shown.window) };
}

test('two questions: one is answered on the phone, one in the window', async (t) => {
  const { shop, window, link: at } = await opened(t);
  const mine = await paired(t, at);
  await mine.getByText('기다리는 질문이 없어요.').waitFor();

  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.jobIs(nav, 'running');
  const [first] = await shop.order('영화도 틀어줘');
  const one = await shop.questionOf(first);
  const [second] = await shop.order('영화 틀어줘');
  const two = await shop.questionOf(second);

  await mine.locator(card(two.ask)).waitFor();
  await mine.screenshot({ path: screenshotPath('pager-ko-light'), fullPage: true });
  await nothingSerious(mine, 'the phone page');
  assert.equal(await overflows(mine), false);
  assert.match(await mine.locator('ul').innerText(), /내비게이션/u);

  await mine.locator(card(one.ask)).getByRole('button', { name: '이 일 취소' }).click();
  await shop.jobIs(first, 'canceled');
  await mine.locator(`[data-ask="${one.ask}"]`).waitFor({ state: 'detached' });
  await shop.openJob(first);
  const record = `${of('job-panel', { job: first })} ${of('ask-record')}`;
  await shop.sees('where it was answered', record);
  const said = await shop.find(record);
  assert.match(said.map((r) => r.text).join(), /내 휴대폰/u);

  await shop.openJob(second);
  await shop.answer(two, 'wait');
  await mine.locator(`[data-ask="${two.ask}"]`).waitFor({ state: 'detached' });
  await mine.getByText('기다리는 질문이 없어요.').waitFor();
  assert.deepEqual(mine.complaints, []);
  await window.screenshot('pager-record');
});

test('an approval shows what it lets through, and reaches this once', async (t) => {
  const { shop, link: at } = await opened(t, { lang: 'en', theme: 'dark', 'policy.mode': 'ask_all' });
  const mine = await paired(t, at, { colorScheme: 'dark' });
  const [note] = await shop.order('make a note: buy milk');
  const question = await shop.questionOf(note, 'approval');
  const shown = mine.locator(card(question.ask));
  await shown.waitFor();
  assert.match(await shown.innerText(), /buy milk/u);
  await mine.screenshot({ path: screenshotPath('pager-en-dark'), fullPage: true });
  await nothingSerious(mine, 'the phone page in the dark');
  await shown.getByRole('button', { name: 'Approve' }).click();
  await shop.jobIs(note, 'succeeded');
  assert.deepEqual(mine.complaints, []);
});

test('the window pairs a phone and unpairs it', async (t) => {
  const { shop, window, page } = await opened(t);
  await shop.goTo('settings');
  const pair = page.getByRole('button', { name: '휴대폰 짝짓기' });
  await pair.scrollIntoViewIfNeeded();
  /** From now on the computer is at an address, whatever network this test runs in. */
  const at = (host) =>
    page.evaluate((address) => {
      const { App } = window.go.main;
      const real = (window.__invite ??= App.InvitePhone);
      App.InvitePhone = async () => {
        const made = await real();
        const ways = made.ways.map((w) => ({ ...w, address: w.address.replace(/^[^:]*/u, address) }));
        return { ...made, ways: ways.slice(0, 1) };
      };
    }, host);
  await at('127.0.0.1');
  await pair.click();
  await page.getByText('이 컴퓨터가 지금 어느 네트워크에도 없어서').first().waitFor();
  await shop.sees('no picture that leads nowhere', of('invitation'), { count: 0 });
  await window.screenshot('pager-no-network');
  await nothingSerious(page, 'no network');
  await at('192.168.0.5');
  await pair.click();
  await shop.sees('the picture', `${of('invitation')} svg`);
  await page.locator(of('invitation')).scrollIntoViewIfNeeded();
  await window.screenshot('pager-invitation');
  await page.getByRole('button', { name: '그만두기' }).click();
  await shop.sees('no picture', of('invitation'), { count: 0 });

  // A browser cannot photograph the picture, so the link comes the other way; the window shows the phone all the same.
  const mine = await paired(t, () => link(window));
  await shop.sees('the phone', of('phone'));
  await page.locator(of('phone')).getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: '짝 끊기' }).click();
  await shop.sees('no phone', of('phone'), { count: 0 });
  await mine.getByText('아직 짝짓지 않았어요').waitFor();
  await mine.reload();
  await mine.getByText('아직 짝짓지 않았어요').waitFor();
  assert.equal((await mine.context().request.get(`${new URL(mine.url()).origin}/now`)).status(), 401);
});

test('the phone unpairs itself, and a switched-off pager answers nobody', async (t) => {
  const { window, link: at } = await opened(t);
  const mine = await paired(t, at);
  mine.on('dialog', (dialog) => dialog.accept());
  await mine.locator('#leave').click();
  await mine.getByText('아직 짝짓지 않았어요').waitFor();

  const other = await paired(t, at);
  const { origin } = new URL(other.url());
  await window.evaluate(() => globalThis.go.main.App.SetSettings({ 'pager.open': false }));
  await other.locator('#away').waitFor();
  await assert.rejects(other.context().request.get(`${origin}/words`));
});

test('attacked: a used picture, another site, an old drawing, a frame', async (t) => {
  const { shop, link: at } = await opened(t);
  const picture = await at();
  const mine = await paired(t, () => picture);
  const again = await phone(t);
  await again.goto(picture);
  await again.locator('form button').click();
  await again.getByText('이미 쓰였거나').waitFor();

  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.jobIs(nav, 'running');
  const [film] = await shop.order('영화도 틀어줘');
  const question = await shop.questionOf(film);
  await mine.locator(card(question.ask)).waitFor();
  const { origin } = new URL(mine.url());
  const answer = (body, headers = {}) =>
    mine.context().request.post(`${origin}/answer`, {
      data: body,
      headers: {
        'Content-Type': 'application/json',
        Origin: origin,
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      },
    });
  const now = await (await mine.context().request.get(`${origin}/now`)).json();
  const { drawn } = now.asks.find((a) => a.id === question.ask);
  const cross = await answer({ ask: question.ask, drawn, option: 1 }, { Origin: 'https://evil.example' });
  assert.equal(cross.status(), 403);
  const old = await answer({
    ask: question.ask,
    drawn: drawn.replace(/^./u, (c) => (c === '0' ? '1' : '0')),
    option: 1,
  });
  assert.equal(old.status(), 409);
  assert.equal((await old.json()).code, 'digest_mismatch');

  // Another page of the same browser, which has the cookie, can neither read nor write nor frame it.
  const evil = await mine.context().newPage();
  await evil.route('https://evil.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="${origin}/"></iframe>` }),
  );
  await evil.goto('https://evil.example/');
  const got = await evil.evaluate(
    async ([to, ask, mark]) => {
      const tried = [];
      const body = JSON.stringify({ ask, drawn: mark, option: 1 });
      for (const init of [{}, { method: 'POST', mode: 'no-cors', body }, { method: 'POST', body }])
        tried.push(
          await fetch(`${to}/${init.method ? 'answer' : 'now'}`, { credentials: 'include', ...init }).then(
            (r) => r.type + r.status,
            () => 'refused',
          ),
        );
      return tried;
    },
    [origin, question.ask, drawn],
  );
  assert.deepEqual(got, ['refused', 'refused', 'refused']);
  const inside = evil.frames().find((f) => f !== evil.mainFrame());
  assert.match(inside.url(), /^chrome-error:/u, 'the page must not stand in a frame');
  await shop.jobIs(film, 'waiting');
});
