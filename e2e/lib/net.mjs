import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { patience } from './patience.mjs';

const isFree = (port) =>
  new Promise((resolve) => {
    const server = net.createServer().on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

const given = new Set();

/**
 * A TCP port of this computer that nobody uses. It is none of those that systems give out by themselves (from 32768 on): whoever connects or listens anywhere
 * could be given it before it is used.
 */
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** Resolves once somebody listens on the port; fails when the program that should do so ends, or when it takes too long. */
export async function listening(port, child) {
  let ended;
  child.ended.then(
    (how) => (ended = `ended with ${how}`),
    (error) => (ended = error.message),
  );
  for (const deadline = Date.now() + patience; !(await accepts(port)); await pause(25)) {
    if (ended) throw new Error(`${child.name} ${ended}:\n${child.output}`);
    if (Date.now() > deadline)
      throw new Error(`${child.name} does not listen on port ${port}:\n${child.output}`);
  }
}
