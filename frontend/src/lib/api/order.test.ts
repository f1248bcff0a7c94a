import { expect, it, vi } from 'vitest';

import { api } from '.';

it('gives calls of which the last counts one after another, and no other waits for them', async () => {
  const given: unknown[] = [];
  const answers: (() => void)[] = [];
  const bound = (of: unknown) => {
    given.push(of);
    return new Promise<void>((done) => answers.push(done));
  };
  vi.stubGlobal('go', { main: { App: { Present: bound, Looked: bound, CancelJob: bound } } });
  const [gone, back] = [api.present(false), api.present(true)];
  const rest = [api.looked('chat', 'seen', '', 0), api.cancelJob('one'), api.cancelJob('two')];
  await Promise.resolve();
  expect(new Set(given)).toEqual(new Set([false, 'chat', 'one', 'two']));
  answers.splice(0).forEach((answer) => answer());
  await Promise.all([gone, ...rest]);
  await expect.poll(() => given.at(-1)).toBe(true);
  answers.splice(0).forEach((answer) => answer());
  await back;
  vi.unstubAllGlobals();
});
