// What `make test` and `make test-all` go through of a test that has several ways is all of them together, and none twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';

async function taken(which, ...args) {
  process.env.WAYS = which;
  const { ways } = await import(`../e2e/lib/ways.mjs?${which}-${args.join()}`);
  return ways(...args);
}

for (const count of [1, 2, 3, 4, 5, 6])
  for (const some of [1, 2, count].filter((n) => n <= count))
    test(`${some} of ${count} ways, and the others`, async () => {
      const all = Array.from({ length: count }, (_, i) => i);
      for (const file of ['file:///a.test.mjs', 'file:///b.test.mjs', 'file:///library-long.test.mjs']) {
        const quick = await taken('some', all, file, some);
        const rest = await taken('others', all, file, some);
        assert.equal(quick.length, some);
        assert.deepEqual([...quick, ...rest].sort(), all);
      }
    });

test('another way from file to file', async () => {
  const first = await Promise.all(['a', 'b'].map((name) => taken('some', ['ko', 'en'], `file:///${name}.test.mjs`)));
  assert.deepEqual(first.flat().sort(), ['en', 'ko']);
});
