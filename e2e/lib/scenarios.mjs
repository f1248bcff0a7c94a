// The shop's main scenes, played through the window: what a customer orders, what must be seen, how it must end.
// Each begins and ends with an empty shop. `tell` gets one line per step.
import assert from 'node:assert/strict';

import { of } from './shop.mjs';

const onMonitor = (kind) => of('monitor', { kind });
const deckPlays = (device) => of('deck', { device, state: 'playing' });
const workersBusy = of('worker-tile', { state: 'running' });
const rack = (tool, state, held) => of('rack', { tool, state, held });
const inLine = (job) => of('waiting-tile', { job });

/** Orders navigation to A and waits until it has the monitor. */
async function navigation(shop, tell) {
  tell('say “목적지 A로 네비 켜줘”');
  const [nav] = await shop.order('목적지 A로 네비 켜줘');
  await shop.jobIs(nav, 'running');
  await shop.openDock();
  await shop.sees('the map on the monitor', onMonitor('nav'));
  return nav;
}

/** Orders a film while navigation runs and gives its job and the question about the monitor. */
async function filmMeetsNavigation(shop, nav, tell, words = '영화도 틀어줘') {
  tell(`say “${words}”: the monitor is taken`);
  const [film] = await shop.order(words);
  const question = await shop.questionOf(film);
  tell(`question: ${question.text}`);
  await shop.sees(
    'a button that names the job to stop',
    `${of('ask-card', { ask: question.ask })} [data-holder="${nav}"]`,
  );
  return { film, question };
}

async function sideBySide(shop, tell, picture) {
  const nav = await navigation(shop, tell);
  tell('say “노래 불러줘”');
  const [song] = await shop.order('노래 불러줘');
  await shop.jobIs(song, 'running');
  await shop.sees('a song on a deck', of('deck', { state: 'playing' }));
  await shop.sees('two workers at work at once', workersBusy, { count: 2 });
  tell('two workers at work: the map is on the monitor, a song on a deck');
  await picture('two-workers');
  await shop.goTo('toolbox');
  await shop.sees('navigation out', rack('nav', 'out', 1));
  await shop.sees('films locked by the monitor', rack('movie', 'locked', 0));
  await shop.sees('one song out', `${of('rack', { tool: 'song', held: 1 })}`);
  tell('the toolbox shows the monitor with navigation and one of two song slots taken');
  await picture('toolbox');
  await shop.goTo('chat');
  tell(`first sign of life ${shop.replies.slice(-2).join(' and ')} ms after Enter`);
  await shop.stop(song);
  await shop.stop(nav);
}

async function waitForMonitor(shop, tell, picture, hurry) {
  const nav = await navigation(shop, tell);
  const { film, question } = await filmMeetsNavigation(shop, nav, tell);
  await picture('lock-question');
  await shop.answer(question, 'wait');
  await shop.sees('the film in line on the board', inLine(film));
  assert.equal((await shop.find(workersBusy)).length, 1, 'a parked job must not hold a worker');
  tell('wait: the film stands in line and holds no worker');
  await hurry(true);
  await shop.jobIs(nav, 'succeeded', { timeout: 120_000 });
  await hurry(false);
  await shop.jobIs(film, 'running');
  await shop.sees('the film on the monitor', onMonitor('movie'));
  tell('navigation arrived, and the film began by itself');
  await picture('film-after-waiting');
  await hurry(true);
  await shop.jobIs(film, 'succeeded', { timeout: 120_000 });
  tell('the film ran to its end');
}

async function cancelFilm(shop, tell) {
  const nav = await navigation(shop, tell);
  const { film, question } = await filmMeetsNavigation(shop, nav, tell);
  await shop.answer(question, 'cancel');
  await shop.jobIs(film, 'canceled');
  await shop.sees('the map still on the monitor', onMonitor('nav'));
  tell('cancel: the film job ended, navigation goes on');
  await shop.stop(nav);
}

async function stopNavigation(shop, tell, picture) {
  const nav = await navigation(shop, tell);
  const third = await filmMeetsNavigation(shop, nav, tell);
  await shop.answer(third.question, 'wait');
  await shop.sees('the first film in line', inLine(third.film));
  tell('wait: this film is first in line');
  const { film, question } = await filmMeetsNavigation(shop, nav, tell, '영화 한 편 더 틀어줘');
  await shop.answer(question, 'stop_other', { holder: nav });
  await shop.jobIs(nav, 'canceled');
  await shop.jobIs(film, 'running');
  await shop.sees('the film on the monitor', onMonitor('movie'));
  await shop.jobIs(third.film, 'waiting');
  tell(
    'stop the other: navigation ended, and the asker has the monitor although somebody stood in line before',
  );
  await picture('stopped-the-other');
  await shop.stop(third.film);
  await shop.stop(film);
}

async function threeSongs(shop, tell, picture) {
  tell('say “노래 불러줘” twice');
  const [first] = await shop.order('노래 불러줘');
  const [second] = await shop.order('노래 불러줘');
  await shop.openDock();
  await shop.sees('the first deck to play', deckPlays('deck1'));
  await shop.sees('the second deck to play', deckPlays('deck2'));
  tell('two songs play on two decks');

  const oneMore = async (words, ...holding) => {
    tell(`say “${words}”: both decks are taken`);
    const [job] = await shop.order(words);
    const question = await shop.questionOf(job);
    const choices = `${of('job-panel')} ${of('ask-card', { ask: question.ask })} button[data-choice="stop_other"]`;
    const offered = (await shop.find(choices)).map((button) => button.holder);
    assert.deepEqual(offered.sort(), holding.sort(), 'the question must offer to stop either song');
    return { job, question };
  };

  const early = await oneMore('노래 하나 더!', first, second);
  await picture('third-song');
  await shop.answer(early.question, 'wait');
  const late = await oneMore('노래 하나 더 틀어줘!', first, second);
  await shop.answer(late.question, 'wait');
  const dropped = await oneMore('노래 하나 더 불러줘!', first, second);
  await shop.answer(dropped.question, 'cancel');
  await shop.jobIs(dropped.job, 'canceled');
  tell('two wait in line, a third was canceled');

  await shop.stop(first);
  await shop.jobIs(early.job, 'running');
  await shop.jobIs(late.job, 'waiting');
  tell('a deck came free: first come, first served');

  const pushy = await oneMore('노래 틀어줘', early.job, second);
  await shop.answer(pushy.question, 'stop_other', { holder: second });
  await shop.jobIs(second, 'canceled');
  await shop.jobIs(pushy.job, 'running');
  await shop.jobIs(early.job, 'running');
  await shop.jobIs(late.job, 'waiting');
  tell('stop the other: the chosen song ended, and its deck went to the asker');
  await picture('chosen-song-stopped');
  for (const job of [late.job, pushy.job, early.job]) await shop.stop(job);
}

export const scenarios = [
  { id: 'A', title: 'navigation and a song at once', play: sideBySide },
  { id: 'B-wait', title: 'the film waits for the monitor', play: waitForMonitor },
  { id: 'B-cancel', title: 'the film is called off', play: cancelFilm },
  { id: 'B-stop-other', title: 'the film takes the monitor, past the line', play: stopNavigation },
  { id: 'C', title: 'a third song for two decks', play: threeSongs },
];

/** Plays one scenario and leaves an empty shop behind. `hurry` is told when what plays is waited for, and when it is to go on for as long as one looks. */
export async function play(scenario, shop, { tell = () => undefined, hurry = () => undefined } = {}) {
  const pictures = [];
  const picture = async (name) => {
    pictures.push(await shop.window.screenshot(`${shop.window.kind}-${scenario.id}-${name}`));
  };
  await scenario.play(shop, tell, picture, hurry);
  await shop.sees('every worker to be free again', workersBusy, { count: 0 });
  return pictures;
}
