// What stands between two programs, and can be cut.
import { createServer, connect } from 'node:net';

export class Wire {
  open = true;
  sockets = new Set();

  /** Leads to an address from now on; gives the one where it begins. */
  async to(address) {
    const [host, port] = address.split(':');
    this.server = createServer((here) => {
      if (!this.open) return here.destroy();
      const there = connect(Number(port), host);
      for (const s of [here, there]) {
        this.sockets.add(s);
        s.on('error', () => {});
        s.on('close', () => [here, there].forEach((one) => one.destroy()));
      }
      here.pipe(there).pipe(here);
    });
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    return `127.0.0.1:${this.server.address().port}`;
  }

  cut() {
    this.open = false;
    this.sockets.forEach((s) => s.destroy());
    this.sockets.clear();
  }

  mend() {
    this.open = true;
  }

  close() {
    this.cut();
    this.server.close();
  }
}
