import { beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';

import { api } from '$lib/api';
import type { ModelPull } from '$lib/api/types';
import type { Of, Kind, Payloads } from '$lib/events';
import { modelsView } from '../test/shapes';

import { Models, sameModel } from './models.svelte';

const event = <K extends Kind>(kind: K, data: Payloads[K]) =>
  ({ seq: 1, time: '', kind, data }) as Of<K>;

const pull = (more: Partial<ModelPull> = {}): ModelPull => ({
  model: 'qwen3:4b',
  state: 'pulling',
  done: 5,
  total: 10,
  percent: 50,
  speed: 1,
  secondsLeft: 5,
  ...more,
});

describe('the model room', () => {
  let models: Models;
  let fetch: MockInstance<typeof api.models>;

  beforeEach(() => {
    models = new Models();
    fetch = vi.spyOn(api, 'models').mockResolvedValue(modelsView());
  });

  it('asks for nothing before somebody looks', async () => {
    models.apply(event('models.changed', {}));
    expect(fetch).not.toHaveBeenCalled();
    models.want();
    models.want();
    await vi.waitFor(() => expect(models.view).toBeDefined());
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('asks once more for all that changed while it was asking', async () => {
    const first = models.load();
    for (let i = 0; i < 5; i++) models.apply(event('models.changed', { model: 'x' }));
    await first;
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('follows downloads, and forgets those that are over or called off', async () => {
    fetch.mockResolvedValue(modelsView({ pulls: [pull({ state: 'paused' })] }));
    await models.load();
    expect(models.pull('qwen3:4b')?.state).toBe('paused');
    models.apply(event('model.pull', pull({ percent: 60 })));
    expect(models.pull('qwen3:4b')?.percent).toBe(60);
    models.apply(event('model.pull', pull({ state: 'done' })));
    expect(models.pulls.size).toBe(0);
    models.apply(event('model.pull', pull({ model: 'bge-m3:latest' })));
    expect(models.pull('bge-m3')).toBeDefined();
    models.apply(event('model.pull', pull({ model: 'bge-m3:latest', canceled: true })));
    expect(models.pulls.size).toBe(0);
  });

  it('keeps what it knows when a look fails, and says why', async () => {
    await models.load();
    fetch.mockRejectedValueOnce(new Error('gone'));
    await models.load();
    expect(models.view).toBeDefined();
    expect(models.error?.message).toBe('gone');
    await models.load();
    expect(models.error).toBeUndefined();
  });

  it('takes a name without a tag for the latest', () => {
    expect(sameModel('bge-m3', 'bge-m3:latest')).toBe(true);
    expect(sameModel('hf.co:443/a/b', 'hf.co:443/a/b:latest')).toBe(true);
    expect(sameModel('qwen3:4b', 'qwen3')).toBe(false);
  });
});
