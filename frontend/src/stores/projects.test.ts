import { expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { Project } from '$lib/api/types';

import { Projects } from './projects.svelte';

const named = (title: string): Project => ({
  ...{ id: 'p', title, instructions: '', model: '', folders: [], shelves: [] },
});

it('is not set back by an answer that a change has overtaken', async () => {
  const projects = new Projects();
  let late: (list: Project[]) => void = () => undefined;
  vi.spyOn(api, 'projects')
    .mockReturnValueOnce(new Promise((done) => (late = done)))
    .mockResolvedValue([named('House')]);
  vi.spyOn(api, 'saveProject').mockImplementation((p) => Promise.resolve(p));
  projects.apply();
  await projects.save(named('House'));
  late([named('Home')]);
  await Promise.resolve();
  expect(projects.list).toEqual([named('House')]);
});
