// A second shop lends its calculator through a connection that is cut while either side is killed: one answer, and one story in both audit logs.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { freePort } from '../lib/net.mjs';
import { OpenShop } from '../lib/open-shop.mjs';
import { Wire } from '../lib/wire.mjs';

/** Waits until the other shop is in a state. */
async function sees(shop, state) {
  for (;;) {
    const from = shop.lines.length;
    const { branches } = await shop.do('branches');
    if (branches.some((b) => b.state === state)) return;
    await shop.line(`the other shop is ${state}`, (l) => l.kind === 'branches.changed', from);
  }
}

/** What the audit log tells: the outcome and values of each use, by its name. */
async function story(shop) {
  const { entries } = await shop.do('audit', { limit: 100 });
  return Object.fromEntries(entries.map((e) => [e.id, [e.outcome, e.args]]));
}

/** Waits until the shop's only job is over, and gives it: a shop that was killed may have told of that before, or never. */
async function ended(shop) {
  for (;;) {
    const from = shop.lines.length;
    const { jobs } = await shop.do('snapshot');
    if (jobs.length === 1 && jobs[0].ended && jobs[0].report) return jobs[0];
    await shop.line('the job is over', (l) => ['job.state', 'job.report'].includes(l.kind), from);
  }
}

test('a branch lends its calculator through a cut connection', async (t) => {
  const at = async (name) => ({
    'branches.address': '127.0.0.1',
    'branches.port': await freePort(),
    'branches.name': name,
  });
  const far = new OpenShop(t, await at('Attic'));
  const near = new OpenShop(t, await at('Shop'));
  assert.deepEqual((await far.do('branches')).addresses, [], 'it listens before it is asked to');

  const { addresses, code } = await far.do('branch_invite', {
    guest: { tools: ['calculator'], calls: 100 },
  });
  const wire = new Wire();
  t.after(() => wire.close());
  await near.do('branch_join', { address: await wire.to(addresses[0]), code });
  await sees(near, 'here');

  // The call comes of a program of the near shop's own, over its MCP door.
  await near.do('config', { set: { 'guests.open': true } });
  const key = await near.add({ name: 'Client', tools: ['attic__calculator'], calls: 9 });
  wire.cut();
  await sees(near, 'away');
  const client = await near.pipe(t, key);
  // The shop is killed before it answers.
  client.callTool({ name: 'attic__calculator', arguments: { expression: '12 * 12' } }).catch(() => {});
  await near.approve(await near.asked());
  const waits = (l) => l.kind === 'job.state' && l.data.to === 'waiting' && /Attic/u.test(l.data.reason);
  await near.line('the job waits for the other shop', waits);

  // Both are killed and come back; then the connection is mended, and cut once more in the middle.
  await near.kill();
  await far.kill();
  far.open();
  near.open();
  await far.do('branches');
  await sees(near, 'away');
  wire.mend();
  await far.line('the other shop has the job', (l) => l.kind === 'job.created');
  wire.cut();
  await near.kill();
  near.open();
  wire.mend();

  assert.match((await ended(near)).report, /144/u);
  const [here, there] = [await story(near), await story(far)];
  assert.equal(Object.keys(there).length, 1, JSON.stringify(there));
  assert.deepEqual(here, there, 'both audit logs tell one story');
  assert.equal(Object.values(here)[0][0], 'done');
});
