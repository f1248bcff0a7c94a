import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { language } from '$lib/i18n/index.svelte';
import { Ask } from '$stores/asks.svelte';

import SamplingAsk from './SamplingAsk.svelte';

const ask = () =>
  new Ask(
    {
      id: 'outside-1',
      kind: 'outside',
      question: 'The outside server “table” wants to ask the model for words.',
      choices: ['value', 'reject'],
      form: {
        server: 'table',
        message: '',
        fields: [],
        prompt: {
          system: 'Be\u202e brief',
          messages: [{ text: 'Name a table' }, { assistant: true, text: 'Sure' }],
          most: 300,
        },
      },
    },
    '2026-01-01T00:00:00Z',
  );

describe('what an outside server wants the model to be asked', () => {
  for (const [lang, once, refuse, most] of [
    ['en', 'Let it ask once', 'Refuse', 'The model writes 300 tokens at most.'],
    ['ko', '한 번 묻게 하기', '거절하기', '글은 300토큰까지만 써요.'],
  ] as const)
    describe(lang, () => {
      beforeEach(() => (language.current = lang));

      it('is shown whole, and may be let through once', async () => {
        const onanswer = vi.fn();
        render(SamplingAsk, { ask: ask(), locked: false, onanswer });
        for (const words of ['U+202E', 'brief', 'Name a table', 'Sure', 'table', most])
          expect(document.body.textContent).toContain(words);
        await fireEvent.click(screen.getByRole('button', { name: once }));
        expect(onanswer).toHaveBeenCalledExactlyOnceWith('value');
      });

      it('may be refused, and waits while it is locked', async () => {
        const onanswer = vi.fn();
        const shown = render(SamplingAsk, { ask: ask(), locked: true, onanswer });
        const go = screen.getByRole<HTMLButtonElement>('button', { name: once });
        expect(go.disabled).toBe(true);
        await shown.rerender({ locked: false });
        await fireEvent.click(screen.getByRole('button', { name: refuse }));
        expect(onanswer).toHaveBeenCalledExactlyOnceWith('reject');
      });
    });
});
