import { expect, it } from 'vitest';

import { inOrder } from './inOrder';

it('gives a call when the one before it has been answered, also by a refusal', async () => {
  const line = inOrder();
  const given: string[] = [];
  const answers: (() => void)[] = [];
  const call = (name: string, refused = false) =>
    line(() => {
      given.push(name);
      return new Promise<string>((done, refuse) => {
        answers.push(() => (refused ? refuse(new Error(name)) : done(name)));
      });
    });
  const [first, second, third] = [call('first', true), call('second'), call('third')];
  await Promise.resolve();
  expect(given).toEqual(['first']);
  answers[0]?.();
  await expect(first).rejects.toThrow('first');
  await expect.poll(() => given).toEqual(['first', 'second']);
  answers[1]?.();
  expect(await second).toBe('second');
  await expect.poll(() => given.length).toBe(3);
  answers[2]?.();
  expect(await third).toBe('third');
});
