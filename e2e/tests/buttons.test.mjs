// The buttons of the questions that grow long, or come seldom, are in the window as soon as the question is: the plan of a tidied folder, the form
// of an outside server, what may have happened before a kill, and a value that is missing.
import assert from 'node:assert/strict';

import { takeLineInPage, tellInPage } from '../lib/hostile.mjs';
import { drawnInPage } from '../lib/inpage.mjs';
import { littered } from '../lib/litter.mjs';
import { besideInPage, hiddenInPage } from '../lib/room.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const sizes = [
  { width: 720, height: 520 },
  { width: 1280, height: 840 },
];

const long = (words) => `${words} `.repeat(30).trim();

/** The questions that come from elsewhere, as the shop tells of them, by their answers. */
const questions = (ko) => [
  {
    id: 'outside',
    kind: 'outside',
    choices: ['value', 'reject'],
    form: {
      server: 'table',
      message: long(ko ? '어느 자리를 원하시는지 알려 주세요.' : 'Tell us which table you would like.'),
      fields: Array.from({ length: 12 }, (_, i) => ({
        name: `field-${i}`,
        kind: ['text', 'integer', 'yes_no', 'one', 'some'][i % 5],
        title: ko ? `물음 ${i + 1}: 몇 분이 오시나요` : `Question ${i + 1}: how many of you will come`,
        about: ko ? '아이들도 세어 주세요.' : 'Children count, too.',
        choices: ['a', 'b', 'c'].map((value) => ({ value, title: `${value}-${i}` })),
      })),
    },
  },
  {
    id: 'recovery',
    kind: 'recovery',
    choices: ['happened', 'run_again', 'skip', 'stop'],
    question: long(
      ko ? '꺼지기 전에 보냈는지 알 수 없어요.' : 'Whether it was sent before the end is not known.',
    ),
    effect: ko ? '돈이 두 번 나가요.' : 'The money would go twice.',
    args: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`value-${i}`, long('12')])),
    tool: 'bank_transfer',
  },
  {
    id: 'input',
    kind: 'input',
    choices: ['value', 'cancel'],
    question: long(ko ? '어디로 가나요?' : 'Where to?'),
    near: ko ? ['부산역', '부산항', '부산대학교'] : ['Busan Station', 'Port of Busan', 'Busan University'],
  },
];

for (const { lang, size } of ways(
  [
    { lang: 'ko', size: 100 },
    { lang: 'en', size: 200 },
  ],
  import.meta.url,
)) {
  each(`the buttons of long and rare questions, ${lang}, text of ${size} %`, async (t) => {
    const { shop, window, page } = await visit(t, {
      settings: { lang, text_size: size },
      context: { viewport: sizes[0], reducedMotion: 'reduce' },
    });
    const ko = lang === 'ko';
    const faults = [];
    const choice = (name) => `[data-choice="${name}"]`;
    const acts = ['approve', 'run_again', 'happened'].map(choice);
    /** Looks at the open question at every size, in the tray and in the panel of its job. */
    const look = async (what, answers) => {
      for (const viewport of sizes) {
        await page.setViewportSize(viewport);
        for (const place of ['question-tray', 'job-panel']) {
          if (place === 'job-panel') await page.keyboard.press('Control+j');
          const card = `${of(place)} ${of('ask-card')}`;
          await shop.sees(`${what} in the ${place}`, `${card}[data-ready]`);
          if (place === 'job-panel') await shop.sees('the focus on it', `${card}:focus`);
          await page.evaluate(drawnInPage);
          const when = `${what}, ${place}, ${viewport.width}x${viewport.height}`;
          // What acts on what is out of sight gives its place to what shows all. Where a window is low for its letters the card is whole.
          const short = place === 'question-tray' && viewport.height >= (22 * 16 * size) / 100;
          const held = short && answers.some((a) => acts.includes(a)) && acts;
          const here = held ? [...answers.filter((a) => !held.includes(a)), of('ask-unfold')] : answers;
          for (const answer of here)
            for (const fault of await page.evaluate(hiddenInPage, `${card} ${answer}`))
              faults.push(`${when}: ${fault}`);
          for (const fault of await page.evaluate(besideInPage)) faults.push(`${when}: ${fault}`);
          await window.screenshot(`buttons-${what}-${place}-${viewport.width}-${lang}`);
        }
        await page.keyboard.press('Escape');
        await shop.sees('the focus back in the box', `${of('composer')}:focus`);
        await page.keyboard.press('Escape');
        await shop.sees('the panel closed', of('job-panel'), { count: 0 });
      }
    };

    const folder = littered(t, ko ? '다운로드' : 'Downloads', 300);
    await page.evaluate((p) => window.go.main.App.OpenFolder(p, true, ''), folder);
    const [tidy] = await shop.order(ko ? '다운로드 폴더를 종류별로 정리해줘' : 'sort Downloads by type');
    await look('plan', [choice('reject'), choice('approve')]);
    await shop.stop(tidy);
    await page.keyboard.press('Escape');
    await shop.sees('the panel closed', of('job-panel'), { count: 0 });

    await page.evaluate(takeLineInPage);
    await page.evaluate(tellInPage, [
      {
        kind: 'job.created',
        job: 'j-1',
        chat: 'main',
        data: { jobId: 'j-1', number: 9, title: ko ? '어려운 일' : 'A hard job', chat: 'main', todos: [] },
      },
    ]);
    for (const question of questions(ko)) {
      await page.evaluate(tellInPage, [
        {
          kind: 'ask.opened',
          chat: 'main',
          job: 'j-1',
          data: {
            chat: 'main',
            jobId: 'j-1',
            jobTitle: ko ? '어려운 일' : 'A hard job',
            question: '',
            digest: 'd',
            ...question,
          },
        },
      ]);
      await look(question.id, [
        ...question.choices.map(choice),
        ...(question.near ? ['[data-near]:first-child', 'input'] : []),
      ]);
      await page.evaluate(tellInPage, [
        {
          kind: 'ask.closed',
          chat: 'main',
          job: 'j-1',
          data: { id: question.id, choice: 'none', by: 'system' },
        },
      ]);
      await shop.sees('no question', of('question-tray'), { count: 0 });
    }
    assert.deepEqual(faults, []);
  });
}
