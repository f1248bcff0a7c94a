import { beforeEach, describe, expect, it } from 'vitest';

import type { ProviderState } from '$lib/api/types';
import { snapshot } from '../test/shapes';

import { Provider } from './provider.svelte';

const builtin: ProviderState = { provider: 'builtin', model: '', health: 'ok' };
const well: ProviderState = { provider: 'ollama', model: 'qwen3:4b', health: 'ok' };
const down: ProviderState = {
  ...well,
  health: 'unreachable',
  reason: 'not_running',
  detail: 'Off.',
};
const loading: ProviderState = { ...well, health: 'starting', reason: 'loading' };

describe('who interprets', () => {
  let provider: Provider;
  const hear = (data: ProviderState) =>
    provider.apply({ seq: 1, time: '', kind: 'provider.state', data });

  beforeEach(() => {
    provider = new Provider();
  });

  it('is told when the chosen one goes, once, and when it is back', () => {
    hear(well);
    expect(provider.notice).toBeUndefined();
    hear(down);
    expect(provider.notice).toMatchObject({ kind: 'away', provider: 'ollama', detail: 'Off.' });
    provider.dismiss();
    hear({ ...down });
    expect(provider.notice).toBeUndefined();
    hear(well);
    expect(provider.notice).toMatchObject({ kind: 'back', model: 'qwen3:4b' });
  });

  it('is told anew when the reason changes', () => {
    hear(down);
    provider.dismiss();
    hear({ ...down, reason: 'wrong_address' });
    expect(provider.notice?.reason).toBe('wrong_address');
  });

  it('is told at the start, when the chosen one is away already', () => {
    provider.load(snapshot({ provider: down }));
    expect(provider.notice?.kind).toBe('away');
    expect(provider.builtin).toBe(true);
  });

  it('left to the shop: says who went and who came back', () => {
    provider.auto = () => true;
    hear(builtin);
    expect(provider.notice).toBeUndefined();
    hear(well);
    expect(provider.notice).toBeUndefined();
    hear(builtin);
    expect(provider.notice).toMatchObject({ kind: 'away', provider: 'ollama' });
    hear(well);
    expect(provider.notice?.kind).toBe('back');
  });

  it('says nothing to somebody who chose the built-in one', () => {
    hear(well);
    hear(builtin);
    expect(provider.notice).toBeUndefined();
  });

  it('a model that is being loaded is not away', () => {
    hear(well);
    hear(loading);
    expect([provider.loading, provider.builtin, provider.notice]).toEqual([true, false, undefined]);
  });
});
