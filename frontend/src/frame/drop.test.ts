import { beforeEach, describe, expect, it, vi } from 'vitest';

import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

import { dragging, dropped } from './drop.svelte';

describe('a bundle that is dropped', () => {
  beforeEach(() => {
    vi.restoreAllMocks();
    vi.spyOn(dragging, 'take').mockImplementation((paths) => paths);
  });

  it.each(['chat', 'library', 'models', 'settings', 'outside'] as const)(
    'becomes a form, dropped on %s',
    async (page) => {
      const bring = vi.spyOn(shop.outside, 'bring').mockResolvedValue();
      view.go(page);
      await dropped(['/home/kim/notes.MCPB']);
      expect(bring).toHaveBeenCalledWith(['/home/kim/notes.MCPB']);
      expect(view.page).toBe('outside');
    },
  );
});
