// What a person with a clock would note about a window: when it shows its first picture, when one can type, how often it is
// drawn, and what its processes take of the computer.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { preload } from './native-window.mjs';
import { patience } from './patience.mjs';

/** The environment of a watched program, and what was noted of it (see native/watch.c). */
export async function watched() {
  const path = join(tmpdir(), `window-watch-${process.pid}-${Math.random().toString(36).slice(2)}`);
  return new Watch(path, await preload('watch'));
}

class Watch {
  constructor(path, library) {
    this.path = path;
    this.library = library;
  }

  get env() {
    return { LD_PRELOAD: this.library, WINDOW_WATCH: this.path };
  }

  /** The times at which something was noted, in milliseconds. */
  times(what) {
    let text = '';
    try {
      text = readFileSync(this.path, 'utf8');
    } catch {
      return []; // not begun yet
    }
    const lines = text.split('\n').map((line) => line.split(' '));
    return lines.filter(([name, at]) => name === what && at).map(([, at]) => Number(at) / 1000);
  }

  /** The first time something was noted; waits for it. */
  async first(what, child, timeout = patience) {
    for (const until = performance.now() + timeout; performance.now() < until; await pause(20)) {
      const [at] = this.times(what);
      if (at !== undefined) return at;
    }
    throw new Error(`${child.name} was not ${what} within ${timeout / 1000} s:\n${child.output}`);
  }

  /** How often the window was drawn between two times. */
  draws(from, to) {
    return this.times('draw').filter((at) => at >= from && at < to).length;
  }
}

/** Milliseconds of the clock that the watch uses. */
export const clock = () => Number(process.hrtime.bigint() / 1000n) / 1000;

/** A process and everything it started, by id. */
export function tree(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${name}/stat`);
    if (stat) parents.set(Number(name), Number(fields(stat)[1]));
  }
  const found = [pid];
  for (let i = 0; i < found.length; i++) {
    for (const [child, parent] of parents) if (parent === found[i]) found.push(child);
  }
  return found;
}

/** Memory of a process tree in MB: the proportional set size, which counts what is shared once. By the process's name. */
export function memory(pid) {
  const sizes = {};
  for (const id of tree(pid)) {
    const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0);
    const name = read(`/proc/${id}/comm`).trim();
    sizes[name] = (sizes[name] ?? 0) + kilobytes / 1024;
  }
  return sizes;
}

/** Processor time that a process tree has taken, in milliseconds. */
export function processor(pid) {
  const tick = 10; // the kernel's clock as it tells it: a hundredth of a second
  return tree(pid).reduce((sum, id) => {
    const stat = read(`/proc/${id}/stat`);
    if (!stat) return sum;
    const [user, system] = fields(stat).slice(11, 13);
    return sum + (Number(user) + Number(system)) * tick;
  }, 0);
}

// The name stands in brackets and may hold anything; what follows it is in columns.
const fields = (stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has ended
  }
}
