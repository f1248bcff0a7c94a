// Measures the real window beside an empty one of the same tags, in turn, on one virtual display: how soon it shows
// something and can be typed into, what it weighs, and what it takes of the computer while it rests, plays and logs.
// Rendering is in software here, as on a computer without a graphics card. Compare the ratios: times depend on the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

import { Child } from '../e2e/lib/children.mjs';
import { openDisplay } from '../e2e/lib/display.mjs';
import { openNativeWindow } from '../e2e/lib/native-window.mjs';
import { dataFolder, inRepo } from '../e2e/lib/paths.mjs';
import { of, Shop } from '../e2e/lib/shop.mjs';
import { clock, memory, processor, watched } from '../e2e/lib/watch.mjs';

const STARTS = Number(process.env.STARTS ?? 5);
const SECONDS = Number(process.env.SECONDS_EACH ?? 10);
const programs = { empty: inRepo('build/bin/empty'), 'Agent Chat': inRepo('build/bin/agentchat') };

const say = (line = '') => process.stdout.write(`${line}\n`);
const load = () => say(`load: ${loadavg()[0].toFixed(1)}`);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const sum = (parts) => Object.values(parts).reduce((a, b) => a + b, 0);

/** Starts a program, lets it be seen, and ends it. */
async function open(display, program, data, look) {
  const watch = await watched();
  const began = clock();
  const child = new Child(program, [], { env: { ...display.env, ...data.env, ...watch.env } });
  try {
    const focused = (await watch.first('focused', child)) - began;
    const painted = (await watch.first('painted', child)) - began;
    const mapped = (await watch.first('mapped', child)) - began;
    return { mapped, painted, focused, ...(await look?.(child, watch)) };
  } finally {
    await child.stop();
    rmSync(watch.path, { force: true });
  }
}

/** What a program that is left alone weighs and does. */
async function rest(child, watch) {
  await pause(8_000);
  const [from, before] = [clock(), processor(child.pid)];
  await pause(SECONDS * 1000);
  const [to, after] = [clock(), processor(child.pid)];
  return {
    memory: memory(child.pid),
    processor: (100 * (after - before)) / (to - from),
    draws: watch.draws(from, to) / ((to - from) / 1000),
  };
}

/** Runs in the page: lines of the log arrive as Go sends them, and the pictures that could be drawn meanwhile are counted. */
function logInPage({ seconds, rate }) {
  const word = (n) => ['노래를 재생해요', 'a tool was leased', 'the step was kept', '길을 찾았어요'][n % 4];
  const line = (n) => ({
    seq: 1e9 + n,
    time: new Date().toISOString(),
    level: ['info', 'debug', 'warn'][n % 3],
    component: 'bench',
    message: `${word(n)} ${n}`,
    fields: { step: n, took: `${n % 97}ms` },
  });
  return new Promise((resolve) => {
    const began = performance.now();
    const frames = [];
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) / 1000) * rate);
      const lines = Array.from({ length: due - sent }, (_, i) => line(sent + i));
      sent = due;
      window.wails.EventsNotify(JSON.stringify({ name: 'logs', data: [lines] }));
    }, 33);
    const frame = (at) => {
      frames.push(at);
      if (performance.now() - began < seconds * 1000) return requestAnimationFrame(frame);
      clearInterval(timer);
      const gaps = frames.slice(1).map((t, i) => t - frames[i]);
      gaps.sort((a, b) => a - b);
      resolve({ sent, frames: gaps.length / seconds, p50: gaps[gaps.length >> 1], p95: gaps[Math.floor(gaps.length * 0.95)] });
    };
    requestAnimationFrame(frame);
  });
}

async function busy(display) {
  const data = dataFolder();
  const watch = await watched();
  const window = await openNativeWindow(display, data, { watch });
  try {
    const shop = new Shop(window);
    await shop.opened();
    const took = async (act) => {
      const [from, before] = [clock(), processor(window.app.pid)];
      const result = await act();
      const [to, after] = [clock(), processor(window.app.pid)];
      return {
        ...result,
        processor: (100 * (after - before)) / (to - from),
        draws: watch.draws(from, to) / ((to - from) / 1000),
      };
    };
    await shop.goTo('logs');
    await pause(2_000);
    const logs = await took(() => window.evaluate(logInPage, { seconds: SECONDS, rate: 1000 }));
    await shop.goTo('chat');
    const [job] = await shop.order('노래 불러줘');
    await shop.jobIs(job, 'running');
    await window.click(of('dock-toggle'));
    await shop.sees('the song on its deck', of('deck', { state: 'playing' }));
    await pause(3_000);
    const song = await took(() => pause(SECONDS * 1000));
    return { logs, song };
  } finally {
    await window.close();
    data.remove();
    rmSync(watch.path, { force: true });
  }
}

for (const program of Object.values(programs)) {
  if (!existsSync(program)) throw new Error(`${program} is not built: make bench-window builds it`);
}
load();
const display = await openDisplay();
const data = dataFolder();
try {
  const starts = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let i = 0; i <= STARTS; i++) {
    for (const [name, program] of Object.entries(programs)) {
      const times = await open(display, program, data);
      if (i) starts[name].push(times); // the first one warms the disk up
    }
  }
  const [floor, ours] = Object.values(starts);
  const milliseconds = (key, what) => {
    const [a, b] = [floor, ours].map((runs) => median(runs.map((run) => run[key])));
    say(`${what.padEnd(34)} ${a.toFixed(0).padStart(6)} ms ${b.toFixed(0).padStart(6)} ms   ${(b / a).toFixed(2)}x`);
  };
  say(`${''.padEnd(35)}   empty  Agent Chat`);
  milliseconds('mapped', 'start to the window (median)');
  milliseconds('painted', 'start to the first picture');
  milliseconds('focused', 'start to the focused composer');

  // Which pages of a program are in memory depends on how its file came there: linked just now it lies in large pieces, of which all of
  // one is counted when a byte is read. Measured as after a boot, too, when it is read as it is wanted.
  let still, idle;
  for (const how of ['as linked', 'read anew']) {
    const rested = {};
    for (const [name, program] of Object.entries(programs)) {
      if (how === 'read anew') spawnSync('dd', [`if=${program}`, 'iflag=nocache', 'count=0', 'status=none'], { stdio: 'inherit' });
      rested[name] = await open(display, program, data, rest);
    }
    [still, idle] = Object.values(rested);
    const [a, b] = [sum(still.memory), sum(idle.memory)];
    say(`${`memory (PSS), its file ${how}`.padEnd(34)} ${a.toFixed(0).padStart(6)} MB ${b.toFixed(0).padStart(6)} MB   ${(b / a).toFixed(2)}x`);
    for (const { memory } of [still, idle]) {
      say(`    ${Object.entries(memory).map(([name, size]) => `${name} ${size.toFixed(0)}`).join(', ')}`);
    }
  }
  const percent = (n) => `${n.toFixed(1)} %`;
  say(`at rest: ${percent(still.processor)} and ${percent(idle.processor)} of a core, drawn ${still.draws.toFixed(1)} and ${idle.draws.toFixed(1)} times a second`);

  const { logs, song } = await busy(display);
  say(
    `${logs.sent} log lines in ${SECONDS} s: ${logs.frames.toFixed(0)} frames a second (p50 ${logs.p50.toFixed(0)} ms, p95 ${logs.p95.toFixed(0)} ms), ` +
      `drawn ${logs.draws.toFixed(0)} times a second, ${percent(logs.processor)} of a core`,
  );
  say(`a song on its deck: ${percent(song.processor)} of a core, drawn ${song.draws.toFixed(1)} times a second`);
} finally {
  await display.close();
  data.remove();
}
load();
