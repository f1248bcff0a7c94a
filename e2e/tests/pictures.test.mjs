// Pictures that an answer names lie elsewhere: the page loads none of them, and the shop fetches one when a person asks.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { takeLineInPage, tellInPage } from '../lib/hostile.mjs';
import { png } from '../lib/pictures.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

/** A server of pictures that counts who asks. */
async function gallery(t) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader('Content-Type', 'image/png');
    response.end(png(64, 48));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close().closeAllConnections());
  return { asked, address: `http://127.0.0.1:${server.address().port}` };
}

const answer = (id, text, chat = 'main') => ({
  kind: 'chat.message',
  chat,
  data: { id, role: 'shop', text, time: new Date().toISOString() },
});

const looks = [
  { lang: 'ko', theme: 'light', width: 720, height: 520 },
  { lang: 'en', theme: 'dark', width: 1280, height: 840 },
];

for (const { lang, theme, width, height } of ways(looks, import.meta.url)) {
  each(`a picture of an answer is fetched when it is asked for, ${lang}`, async (t) => {
    const { asked, address } = await gallery(t);
    const { shop, window, page } = await visit(t, {
      settings: { lang, theme },
      context: { viewport: { width, height } },
    });
    const left = [];
    page.on('request', (r) => !/^(data|blob):/.test(r.url()) && left.push(r.url()));
    const ko = lang === 'ko';
    const host = new URL(address).host;
    const words = `${ko ? '여기 있어요' : 'Here it is'}: ![${ko ? '바다' : 'the sea'}](${address}/sea.png?who=me)\n\n![](${address}/other.svg)`;
    await page.evaluate(takeLineInPage);
    await page.evaluate(tellInPage, [answer('p-1', words)]);
    const place = page.locator('[data-id="p-1"] .picture').first();
    const button = place.getByRole('button', {
      name: ko ? `${host}에서 그림 보기` : `Show the picture from ${host}`,
    });
    await button.waitFor();
    await place.getByRole('link').waitFor();
    assert.equal(await page.locator('[data-id="p-1"] img').count(), 0);
    await nothingSerious(page, 'the place of a picture');
    assert.equal(await overflows(page), false);
    await window.screenshot(`pictures-${lang}-offered`);
    assert.deepEqual(asked, [], 'nobody is asked before the press');

    // This server stands on this computer, where nothing is fetched from: the shop's own guard says so.
    await button.focus();
    await page.keyboard.press('Enter');
    await page
      .getByText(
        ko ? '이 컴퓨터나 내부 네트워크의 주소예요' : 'it leads to this computer or a private network',
      )
      .first()
      .waitFor();
    await button.waitFor();
    await page.evaluate(() => window.go.main.App.SetSettings({ offline: true }));
    await page.evaluate(tellInPage, [answer('p-2', '![far](https://pictures.example.org/far.png)')]);
    await page.locator('[data-id="p-2"] .picture-show').click();
    await page
      .getByText(
        ko
          ? '오프라인으로 해 두셔서 pictures.example.org'
          : 'You switched to offline, so nothing was sent to pictures.example.org',
      )
      .first()
      .waitFor();
    await shop.goTo('outbound');
    await shop.sees(
      'the refusal in the ledger',
      of('outbound-entry', { room: 'picture', outcome: 'refused' }),
    );
    await window.screenshot(`pictures-${lang}-ledger`);
    assert.deepEqual(asked, [], 'nothing was asked of it');
    await shop.goTo('chat');

    // What the shop brings is shown over its address, and asked for anew once another chat was shown.
    const drawn = `data:image/png;base64,${png(320, 200).toString('base64')}`;
    await page.evaluate((picture) => {
      window.__answers.AnswerPicture = picture;
      window.__called.AnswerPicture = 0;
    }, drawn);
    const far = page.locator('[data-id="p-2"] .picture');
    await far.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await far.getByRole('img', { name: 'far' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('[data-id="p-2"] .picture a'));
    await page.waitForFunction(() => document.querySelector('[data-id="p-2"] img').naturalWidth === 320);
    assert.equal(await page.evaluate(() => window.__called.AnswerPicture), 1);
    assert.equal(await overflows(page), false);
    await nothingSerious(page, 'a picture that was asked for');
    await window.screenshot(`pictures-${lang}-shown`);
    if (width > 1000) {
      await page.keyboard.press('Control+n');
      await shop.sees('another chat', '[data-id="p-2"]', { count: 0 });
      await page.locator('.name[data-chat="main"]').click();
    } else {
      await shop.goTo('library');
      await shop.goTo('chat');
    }
    await page.locator('[data-id="p-2"] .picture-show').waitFor();
    assert.equal(await page.locator('[data-id="p-2"] img').count(), 0);
    assert.deepEqual(
      left.filter((url) => /example\.org/.test(url) || url.startsWith(address)),
      [],
      'the page itself loads nothing',
    );
  });
}
