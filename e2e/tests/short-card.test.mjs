// The short card of an open question: what decides is in sight, or its button shows all first. Nothing is sent from it unseen.
import assert from 'node:assert/strict';

import { nothingSerious } from '../lib/checks.mjs';
import { takeLineInPage, tellInPage } from '../lib/hostile.mjs';
import { drawnInPage } from '../lib/inpage.mjs';
import { besideInPage, cutInPage, hiddenInPage, sharesInPage } from '../lib/room.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const tray = of('question-tray');
const card = `${tray} ${of('ask-card')}`;
const choice = (which) => `${card} [data-choice="${which}"]`;
const unfold = `${card} ${of('ask-unfold')}`;

const approval = { kind: 'approval', choices: ['approve', 'edit', 'reject'], tool: 'calculator' };
const diff = Array.from({ length: 30 }, (_, i) => `+${i + 1}`).join('\n');

/** Questions as the shop tells of them, and whether the button that acts is there before all is seen. */
const questions = (ko) => [
  {
    id: 'plain',
    ...approval,
    question: ko ? '이걸 할까요?' : 'Do this?',
    args: { to: ko ? '김' : 'Kim', amount: 15000 },
    acts: true,
  },
  {
    id: 'change',
    ...approval,
    question: ko ? '파일을 고칠까요?' : 'Change the file?',
    args: { path: 'a.txt' },
    preview: { text: 'a.txt', diff: `--- a.txt\n+++ a.txt\n@@ -0,0 +1,30 @@\n${diff}\n` },
  },
  {
    id: 'many',
    ...approval,
    question: ko ? '모두 켤까요?' : 'Turn all of it on?',
    args: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`switch-${i}`, true])),
  },
  {
    id: 'asks-long',
    ...approval,
    question: (ko ? '이 일을 정말로 할까요? ' : 'Shall this really be done? ').repeat(30).slice(0, 300),
    args: { n: 1 },
  },
  {
    id: 'outside',
    kind: 'outside',
    choices: ['value', 'reject'],
    question: '',
    form: {
      server: 'table',
      message: ko ? '적어 주세요.' : 'Fill this in.',
      fields: [{ name: 'a', kind: 'text', title: 'A', required: true, default: 'all of it' }],
    },
    acts: true,
    whole: true,
  },
  {
    id: 'prompt',
    kind: 'outside',
    choices: ['value', 'reject'],
    question: '',
    form: {
      server: 'table',
      message: '',
      fields: [],
      prompt: { system: 'Be brief', messages: [{ text: 'Name a table' }], most: 30 },
    },
    acts: true,
    whole: true,
  },
];

for (const lang of ways(['ko', 'en'], import.meta.url))
  each(`what decides is in sight in a short card, ${lang}`, async (t) => {
    const ko = lang === 'ko';
    const { shop, window, page } = await visit(t, {
      settings: { lang, theme: 'dark', pace: 0.1 },
      context: { viewport: { width: 720, height: 520 }, reducedMotion: 'reduce', colorScheme: 'dark' },
    });
    const faults = [];
    const look = async (when, ...selectors) => {
      await page.evaluate(drawnInPage);
      for (const selector of selectors)
        for (const fault of await page.evaluate(hiddenInPage, selector)) faults.push(`${when}: ${fault}`);
      for (const found of [besideInPage, cutInPage])
        for (const fault of await page.evaluate(found)) faults.push(`${when}: ${fault}`);
      await window.screenshot(`short-card-${lang}-${when}`);
    };
    const hasRoom = async (when) => {
      const { talk } = await page.evaluate(sharesInPage);
      if (talk < 0.599) faults.push(`${when}: the talk has ${talk}`);
    };

    // The job that has it stands beside the button that stops it.
    const [drive] = await shop.order('목적지 A로 네비 켜줘');
    await shop.jobIs(drive, 'running');
    await shop.order('영화도 틀어줘');
    await shop.sees('the question of who has it', `${card}[data-ready]`);
    await look('lock', `${card} li b`, choice('stop_other'), choice('wait'), choice('cancel'));
    await hasRoom('lock');
    const [held] = await page.locator(`${card} li`).allInnerTexts();
    assert.match(held, /\d/, `the number of the job that is stopped: ${held}`);
    await window.click(choice('cancel'));
    await shop.sees('no question', tray, { count: 0 });
    await shop.stop(drive); // what goes on would be told meanwhile
    await page.keyboard.press('Escape');
    await shop.sees('the panel closed', of('job-panel'), { count: 0 });

    await page.evaluate(takeLineInPage);
    const job = { jobId: 'j-1', chat: 'main' };
    await page.evaluate(tellInPage, [
      {
        ...{ kind: 'job.created', job: 'j-1', chat: 'main' },
        data: { ...job, number: 9, title: ko ? '어려운 일' : 'A hard job', todos: [] },
      },
    ]);
    for (const { acts = false, whole = false, ...question } of questions(ko)) {
      await page.evaluate(tellInPage, [
        {
          ...{ kind: 'ask.opened', job: 'j-1', chat: 'main' },
          data: { ...job, jobTitle: ko ? '어려운 일' : 'A hard job', digest: 'd', ...question },
        },
      ]);
      await shop.sees(question.id, `${tray} ${of('ask-card', { ask: question.id })}[data-ready]`);
      const go = choice(question.choices[0]);
      if (acts) {
        await look(question.id, go, choice('reject'));
        if (whole)
          for (const fault of await page.evaluate(hiddenInPage, `${card} .verbatim`))
            faults.push(`${question.id}: ${fault}`);
        else await hasRoom(question.id);
      } else {
        await shop.sees('showing all', unfold);
        await look(question.id, unfold, choice('reject'));
        assert.equal(await page.locator(go).count(), 0, `${question.id} acts unseen`);
        await page.locator(card).focus();
        await page.keyboard.press('Control+Enter'); // shows all, and does nothing else
        await page.locator(`${card} ${of('ask-body')}:focus`).waitFor();
        await page.locator(`${go}:not(:disabled)`).waitFor();
        await look(`${question.id}-whole`, go, choice('reject'));
      }
      await nothingSerious(page, question.id);
      await page.evaluate(tellInPage, [
        {
          ...{ kind: 'ask.closed', job: 'j-1', chat: 'main' },
          data: { id: question.id, choice: 'none', by: 'system' },
        },
      ]);
      await shop.sees('no question', tray, { count: 0 });
    }
    assert.deepEqual(faults, []);
  });
