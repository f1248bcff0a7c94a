// The scenarios of the shop in Chromium, against the real backend.
import { test } from 'node:test';

import { play, scenarios } from '../lib/scenarios.mjs';
import { visit } from '../lib/visit.mjs';

for (const scenario of scenarios) {
  test(`${scenario.id}: ${scenario.title}`, async (t) => {
    const { shop } = await visit(t, { settings: { pace: 2 } });
    await play(scenario, shop, { tell: (line) => t.diagnostic(line) });
  });
}
