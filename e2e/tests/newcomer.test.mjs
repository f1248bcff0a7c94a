// The first ten minutes: from an empty window to a cited answer about one's own document, real work by one click each, help without
// leaving the window, and a way on where the shop did not understand. Clicks are counted; the system's dialogs answer with a path.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { drop } from '../lib/drop.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const lease = {
  ko: '# 월세 계약서\n\n제1조(보증금) 보증금은 1,000만원으로 한다.\n\n제2조(기간) 계약 기간은 2026년 3월 1일부터 2년으로 한다.\n',
  en: '# Lease\n\nArticle 1 (Deposit) The deposit is 10,000 dollars.\n\nArticle 2 (Term) The term is two years from 1 March 2026.\n',
};

function desk(t) {
  const dir = mkdtempSync(join(tmpdir(), 'newcomer-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return (name) => join(dir, name);
}

const looks = [
  { lang: 'ko', theme: 'light', width: 720, height: 520 },
  { lang: 'en', theme: 'dark', width: 1280, height: 840 },
];

for (const { lang, theme, width, height } of ways(looks, import.meta.url)) {
  const look = `${lang}-${theme}-${width}`;
  const start = (t) =>
    visit(t, {
      settings: { lang, theme, pace: 0.1 },
      context: { viewport: { width, height }, reducedMotion: 'reduce' },
    });
  const work = (id) => of('example', { work: id });

  each(`a newcomer has a cited answer about a document of their own, ${look}`, async (t) => {
    const { shop, page, window } = await start(t);
    const path = desk(t);
    writeFileSync(path('lease.md'), lease[lang]);
    const began = performance.now();
    let clicks = 0;
    const click = (selector) => (clicks++, window.click(selector));

    await shop.sees('what to begin with', of('example'), { count: 5 });
    for (const card of await page.locator(of('example')).all())
      assert.ok((await card.boundingBox()).y < height, 'every card is in sight without scrolling');
    await nothingSerious(page, 'the first page');
    assert.equal(await overflows(page), false);
    await window.screenshot(`newcomer-${look}-1-start`);

    await page.evaluate(
      (p) => (window.go.main.App.ChooseAttachments = () => Promise.resolve([p])),
      path('lease.md'),
    );
    await click(work('document'));
    await shop.sees('what to ask', `${of('ask-first')} button`, { count: 3 });
    await window.screenshot(`newcomer-${look}-2-read`);
    await click(`${of('ask-first')} button`);
    await shop.sees('an answer with its sources', of('sources'));
    const answer = page.locator(of('chat-message', { role: 'shop' })).last();
    assert.match(await answer.innerText(), lang === 'ko' ? /보증금|계약 기간/ : /deposit|term/i);
    await nothingSerious(page, 'the first answer');
    await window.screenshot(`newcomer-${look}-3-answer`);
    const took = Math.round(performance.now() - began) / 1000;
    t.diagnostic(`${clicks} clicks besides the file dialog, ${took} s`);
    assert.ok(clicks <= 2);

    // In a new chat the document is dropped instead.
    await page.keyboard.press('Control+n');
    await shop.sees('an empty chat', of('example'));
    await drop(page, [path('lease.md')]);
    await shop.sees('what to ask of what was dropped', `${of('ask-first')} button`, { count: 3 });
  });

  each(`each card on the first page does real work, ${look}`, async (t) => {
    const { shop, page, window } = await start(t);
    const path = desk(t);
    mkdirSync(path('My stuff'));
    for (const name of ['a.txt', 'b.png', 'c.pdf']) {
      writeFileSync(path(join('My stuff', name)), name);
      utimesSync(path(join('My stuff', name)), 0, 0); // what changed a moment ago is left alone
    }
    const anew = async () => {
      await page.keyboard.press('Control+n');
      await shop.sees('an empty chat', of('example'));
    };

    await page.evaluate(
      (p) => (window.go.main.App.ChooseFolder = () => Promise.resolve(p)),
      path('My stuff'),
    );
    await shop.sees('the first page', work('folder'));
    await window.click(work('folder'));
    await shop.sees('the plan', of('plan-line'), { count: 3 });
    await window.screenshot(`newcomer-${look}-4-plan`);
    assert.equal(readdirSync(path('My stuff')).length, 3, 'nothing is moved before the answer');
    await shop.sees('the question, ready', `${of('ask-card')}[data-ready]`);
    await shop.approve();
    await shop.sees('it done', of('job-card', { state: 'succeeded' }));
    assert.ok(!readdirSync(path('My stuff')).includes('a.txt'), 'it is tidy');

    await anew();
    await window.click(work('remind'));
    await shop.sees('the timer', of('waiting-tile'));
    await anew();
    await window.click(work('play'));
    await shop.sees('the song', of('playing', { kind: 'song' }));
    await anew();
    await window.click(work('money'));
    await shop.sees('the slip', of('slip'));
    await window.screenshot(`newcomer-${look}-5-slip`);
  });

  each(`help is one key or word away and is made of the manuals, ${look}`, async (t) => {
    const { shop, page, window } = await start(t);
    const help = of('help-page');
    await page.keyboard.press('F1');
    await shop.sees('the pages of help', `${help} ${of('help-topic')}`, { count: 10 });
    await nothingSerious(page, 'help');
    assert.equal(await overflows(page), false);
    await window.screenshot(`newcomer-${look}-6-help`);

    const told = new Set();
    const ids = await page.locator(of('help-topic')).evaluateAll((all) => all.map((e) => e.dataset.topic));
    for (const id of ids) {
      await window.click(of('help-topic', { topic: id }));
      await shop.sees(`the page ${id}`, of('help-article', { topic: id }));
      for (const tool of await shop.find(of('help-tool'))) told.add(tool.tool);
      await window.click(`${help} .back button`);
    }
    const tools = await page.evaluate(async () => (await window.go.main.App.Tools()).map((s) => s.key));
    assert.deepEqual([...told].sort(), tools.sort(), 'every tool of the box is told of');

    await page.locator(`${help} input[type="search"]`).fill(lang === 'ko' ? '단위' : 'units');
    await shop.sees('the unit converter', of('help-tool', { tool: 'unit_convert' }));
    await window.screenshot(`newcomer-${look}-7-found`);
    await nothingSerious(page, 'help, searched');
    await window.click(`${of('help-tool', { tool: 'unit_convert' })} .acts button`);
    await shop.sees('it in the box', of('composer'));
    assert.ok((await page.getByTestId('composer').inputValue()).length > 0);

    await page.getByTestId('composer').fill('');
    await shop.say(lang === 'ko' ? '도움말' : 'help');
    await shop.sees('help by its word', help);
  });

  each(`what was not understood comes with what is near, ${look}`, async (t) => {
    const { shop, page, window } = await start(t);
    await shop.say(lang === 'ko' ? '심심해' : 'could you handle my files');
    const near = `${of('chat-message', { role: 'shop' })} [data-action^="say:"]`;
    await shop.sees('what is near', near, { count: 2 });
    await window.screenshot(`newcomer-${look}-8-near`);
    await nothingSerious(page, 'what is near');
    const words = await page.locator(near).first().innerText();
    await window.click(near);
    await page
      .locator(of('chat-message', { role: 'customer' }))
      .getByText(words, { exact: true })
      .waitFor();
    await shop.sees('that it was understood', of('job-card'));
  });
}
