// The program is killed; the next one takes up what was unfinished and says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

test('jobs, questions and a form outlive the program, and the window says so once', async (t) => {
  // What has the monitor goes on for as long as the test takes, on a slow machine, too.
  const first = await visit(t, { settings: { lang: 'ko', pace: 0.1 } });
  const [trip] = await first.shop.order('목적지 A로 네비 켜줘');
  await first.shop.jobIs(trip, 'running');
  const [film] = await first.shop.order('영화도 틀어줘');
  const question = await first.shop.questionOf(film);
  await first.shop.say('엄마한테 보내줘');
  await first.page.waitForSelector('[data-testid="slip"][data-stage="FILLING"]');

  const { shop, window, page } = await first.again();
  const notice = page.getByTestId('recovered');
  await notice.waitFor();
  assert.match(
    await notice.innerText(),
    /지난번에 하던 일 2개를 이어서 해요\. 답을 기다리는 질문이 1개 있어요\./,
  );
  await nothingSerious(page, 'what was recovered');
  assert.equal(await overflows(page), false);
  await window.screenshot('recovered');
  await page.waitForSelector('[data-testid="slip"][data-stage="FILLING"]');

  await notice.getByRole('button', { name: '기다리는 일 보기' }).click();
  const again = await shop.questionOf(film);
  assert.equal(again.ask, question.ask, 'the same question is open, not a second one');
  assert.equal((await shop.find(of('job-card', { job: trip }))).length, 1);
  await shop.answer(again, 'cancel');
  await shop.jobIs(film, 'canceled');

  await notice.getByRole('button', { name: '이 알림 닫기' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.reload();
  await shop.opened();
  await shop.jobIs(film, 'canceled');
});
