// The scenarios of the shop in Chromium, against the real backend.
import { test } from 'node:test';

import { play, scenarios } from '../lib/scenarios.mjs';
import { visit } from '../lib/visit.mjs';

for (const scenario of scenarios) {
  test(`${scenario.id}: ${scenario.title}`, async (t) => {
    // What plays goes on for as long as the test takes, on a slow machine, too; only where its end is waited for it is quick.
    const slow = 0.1;
    const { shop, page } = await visit(t, { settings: { pace: slow } });
    const hurry = (yes) => page.evaluate((pace) => window.go.main.App.SetSettings({ pace }), yes ? 4 : slow);
    await play(scenario, shop, { tell: (line) => t.diagnostic(line), hurry });
  });
}
