// README's pictures are never old: what they showed when they were taken is what the window shows now.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { scenes, shownFile, shownInPage } from '../lib/readme.mjs';
import { visit } from '../lib/visit.mjs';

for (const [n, scene] of scenes.entries())
  test(`the window still looks as in README, ${n + 1} of ${scenes.length}`, async (t) => {
    const { shop, page } = await visit(t);
    const shown = JSON.parse(readFileSync(shownFile, 'utf8'));
    await scene(shop, async (name) =>
      assert.deepEqual(
        await page.evaluate(shownInPage),
        shown[name],
        `docs/images/${name}.png is old: take README's pictures anew with \`node scripts/pictures.mjs readme\``,
      ),
    );
  });
