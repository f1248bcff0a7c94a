import { render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';

import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { snapshot } from '../../test/shapes';

import OnDuty from './OnDuty.svelte';

describe('OnDuty', () => {
  beforeEach(() => {
    language.current = 'en';
  });

  it.each([
    ['cluster', 'cluster'],
    ['ollama', 'Ollama'],
  ])('calls %s by its own name', (provider, name) => {
    shop.provider.load(snapshot({ provider: { provider, model: 'qwen3', health: 'ok' } }));
    render(OnDuty);
    const said = screen.getByTestId('on-duty').textContent;
    expect(said).toContain('qwen3');
    expect(said).toContain(name);
    expect(said).not.toMatch(/built-in/i);
  });
});
