import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A TCP port of this computer that nobody uses. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** Resolves once somebody listens on the port; fails when the program that should do so ends, or after 30 s. */
export async function listening(port, child) {
  let ended;
  child.ended.then(
    (how) => (ended = `ended with ${how}`),
    (error) => (ended = error.message),
  );
  for (const deadline = Date.now() + 30_000; !(await accepts(port)); await pause(25)) {
    if (ended) throw new Error(`${child.name} ${ended}:\n${child.output}`);
    if (Date.now() > deadline)
      throw new Error(`${child.name} does not listen on port ${port}:\n${child.output}`);
  }
}
