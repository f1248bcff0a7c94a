import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { patience } from './patience.mjs';

// Of these the system takes none for itself: what it hands out, to a connection or to a server that takes any port, may be anybody's again by the time
// that it is listened on. The programs that are looked for here as servers of models have theirs elsewhere.
const [FIRST, PORTS] = [20_000, 10_000];
const given = new Set();

const free = (port) =>
  new Promise((resolve) => {
    const server = net.createServer().on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A TCP port of this computer that nobody uses, and that is given once. */
export async function freePort() {
  for (let tries = 0; tries < PORTS; tries++) {
    const port = FIRST + Math.floor(Math.random() * PORTS);
    if (given.has(port) || !(await free(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error('no port is free');
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
