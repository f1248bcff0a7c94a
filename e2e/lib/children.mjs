// Programs a test starts. Each runs in a process group of its own, so that ending it ends what it started as well, and
// none outlives the test, however the test ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { patience } from './patience.mjs';

const killGroup = (child, signal) => {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has ended already.
  }
};

/** Whether anybody of its group is there. */
const hasGroup = (child) => {
  try {
    process.kill(-child.pid, 0);
    return true;
  } catch {
    return false;
  }
};

const everyone = new Set();
process.on('exit', () => everyone.forEach((child) => killGroup(child, 'SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

/** One running program: what it wrote, and how it ends. */
export class Child {
  #process;
  #output = '';
  #listeners = new Set();
  /** It ended and left nobody: its number may be anybody's since. */
  #gone = false;

  constructor(command, args, { env = process.env, stdio = ['ignore', 'pipe', 'pipe'] } = {}) {
    this.name = command.split('/').pop();
    this.#process = spawn(command, args, { env, stdio, detached: true });
    everyone.add(this.#process);
    this.#process.once('exit', () => (this.#gone = !hasGroup(this.#process)));
    for (const stream of this.#process.stdio.slice(1)) stream?.on('data', (data) => this.#hear(String(data)));
    /** Resolves to the exit code, or to the name of the signal that ended it. */
    this.ended = once(this.#process, 'exit').then(
      ([code, signal]) => signal ?? code,
      (error) => {
        throw new Error(`${this.name} could not be started: ${error.message}`);
      },
    );
    this.ended.catch(() => undefined).finally(() => everyone.delete(this.#process));
  }

  get pid() {
    return this.#process.pid;
  }

  get output() {
    return this.#output;
  }

  /** Resolves to the match once the program has written something that fits the pattern. */
  says(pattern, timeout = patience) {
    return new Promise((resolve, reject) => {
      const fail = (why) =>
        done(reject, new Error(`${this.name} ${why} before it said ${pattern}:\n${this.#output}`));
      const timer = setTimeout(() => fail(`took longer than ${timeout} ms`), timeout);
      const look = () => {
        const match = pattern.exec(this.#output);
        if (match) done(resolve, match);
      };
      const done = (settle, value) => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        settle(value);
      };
      this.#listeners.add(look);
      this.ended.then((how) => fail(`ended (${how})`), reject);
      look();
    });
  }

  /** Sends a signal to the program alone, as a person or the system would. */
  signal(name) {
    this.#process.kill(name);
  }

  /** Sends a signal to the program and to everything it started. */
  signalAll(name) {
    if (!this.#gone) killGroup(this.#process, name);
  }

  /** Ends the program and everything it started. */
  async stop() {
    if (!everyone.has(this.#process)) return this.signalAll('SIGKILL');
    this.signalAll('SIGTERM');
    const timer = setTimeout(() => this.signalAll('SIGKILL'), 5_000);
    await this.ended.catch(() => undefined);
    clearTimeout(timer);
    this.signalAll('SIGKILL');
  }

  #hear(text) {
    this.#output = (this.#output + text).slice(-200_000);
    this.#listeners.forEach((look) => look());
  }
}

/** Runs a program to its end and gives what it wrote; throws when it fails. */
export async function run(command, args, options) {
  const child = new Child(command, args, options);
  const how = await child.ended;
  if (how !== 0) throw new Error(`${child.name} ended with ${how}:\n${child.output}`);
  return child.output;
}
