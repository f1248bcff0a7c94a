import { render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { ChatMessage, LetterRow } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { Chat } from '$stores/chat.svelte';
import { Message } from '$stores/message.svelte';
import { letterRow } from '../../test/shapes';

import Written from './Written.svelte';

const at = '2026-01-02T03:05:00Z';

describe('who wrote a reply', () => {
  beforeEach(() => {
    language.current = 'en';
    vi.restoreAllMocks();
  });

  async function told(rows: LetterRow[], more: Partial<ChatMessage> = {}): Promise<string> {
    vi.spyOn(api, 'letters').mockResolvedValue(rows);
    const message = Message.from({
      id: 'm',
      role: 'shop',
      text: 'Hi',
      time: at,
      turn: 'q',
      ...more,
    });
    render(Written, { chat: new Chat('main'), message });
    const line = screen.getByTestId('written');
    await vi.waitFor(() => expect(line.textContent).not.toBe(''));
    return line.textContent;
  }

  it('is a model of a server, with how many tokens a second it wrote', async () => {
    const row = letterRow('a', {
      turn: 'q',
      provider: 'GPU',
      model: 'big',
      ms: 2500,
      firstTokenMs: 500,
      tokensOut: 80,
    });
    expect(await told([row])).toBe('big (GPU) · 2.5s · 40 tokens a second');
  });

  it('is none whose letter failed or was another request, but of a failure the one that failed', async () => {
    const failed = letterRow('a', { turn: 'q', model: 'big', error: 'model_bad_output' });
    const other = letterRow('b', { turn: 'p', model: 'other' });
    expect(await told([failed, other])).toBe('The program answered this without a model.');
    document.body.replaceChildren();
    expect(await told([])).toBe(
      'No record of a model: the program answered by itself, or the record is no longer kept.',
    );
    document.body.replaceChildren();
    expect(await told([failed, other], { code: 'model_bad_output' })).toContain('big');
  });
});
