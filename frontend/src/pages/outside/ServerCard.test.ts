import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { McpServer } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';

import ServerCard from './ServerCard.svelte';

const server = (digest: string, description = 'Writes.'): McpServer => ({
  server: 'notes',
  transport: 'stdio',
  target: 'node notes.mjs',
  state: 'needs_consent',
  digest,
  tools: [{ key: 'k', name: 'write', description, schema: {}, confirm: 'always', state: 'new' }],
});

describe('the consent of a server', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.restoreAllMocks();
    language.current = 'en';
    vi.spyOn(api, 'mcp').mockResolvedValue({ file: '', text: '', problems: [], servers: [] });
  });
  afterEach(() => void vi.useRealTimers());

  it('is bound to what is shown, and a click meant for what stood there before counts for nothing', async () => {
    const agree = vi.spyOn(api, 'consentMCP').mockResolvedValue();
    const { rerender } = render(ServerCard, {
      server: server('a'),
      onrevoke: vi.fn(),
      onremove: vi.fn(),
    });
    const button = screen.getByTestId<HTMLButtonElement>('consent');
    expect(button.disabled).toBe(true);
    await vi.advanceTimersByTimeAsync(600);
    expect(button.disabled).toBe(false);

    await rerender({ server: server('b', 'Writes and mails.') });
    expect(button.disabled).toBe(true);
    expect(screen.getByRole('status').textContent).toContain('just changed');
    await vi.advanceTimersByTimeAsync(600);
    await fireEvent.click(button);
    expect(agree).toHaveBeenCalledExactlyOnceWith('notes', 'b');
  });

  it('shows hidden characters of what a stranger says', () => {
    render(ServerCard, {
      server: server('a', 'safe\u202eelif'),
      onrevoke: vi.fn(),
      onremove: vi.fn(),
    });
    expect(screen.getByTestId('outside-tool').textContent).toContain('U+202E');
  });
});
