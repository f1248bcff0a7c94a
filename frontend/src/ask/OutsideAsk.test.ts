import { fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { language } from '$lib/i18n/index.svelte';
import { Ask } from '$stores/asks.svelte';

import OutsideAsk from './OutsideAsk.svelte';

const ask = () =>
  new Ask(
    {
      id: 'outside-1',
      kind: 'outside',
      question: 'The outside server “table” asks: Which?',
      choices: ['value', 'reject'],
      form: {
        server: 'table',
        message: 'Which\u202e table?',
        fields: [
          { name: 'seats', kind: 'integer', title: 'Seats', required: true },
          {
            name: 'when',
            kind: 'one',
            title: 'When',
            choices: [
              { value: 'n', title: 'Noon' },
              { value: 'e', title: 'Evening' },
            ],
            default: 'e',
          },
          {
            name: 'extras',
            kind: 'some',
            title: 'Extras',
            choices: [
              { value: 'w', title: 'Window' },
              { value: 'q', title: 'Quiet' },
            ],
            default: ['w'],
          },
          { name: 'dog', kind: 'yes_no', title: 'A dog comes along' },
        ],
      },
    },
    '2026-01-01T00:00:00Z',
  );

describe('a question of an outside server', () => {
  beforeEach(() => (language.current = 'en'));

  it('is a form, and sends what was filled in by its kind', async () => {
    const onanswer = vi.fn();
    render(OutsideAsk, { ask: ask(), locked: false, onanswer });
    expect(document.body.textContent).toContain('U+202E');
    const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });
    expect(send.disabled).toBe(true);
    await fireEvent.input(screen.getByLabelText('Seats'), { target: { value: '4' } });
    await fireEvent.click(screen.getByLabelText('Quiet'));
    await fireEvent.click(screen.getByLabelText('A dog comes along'));
    expect(send.disabled).toBe(false);
    await fireEvent.click(send);
    expect(onanswer).toHaveBeenCalledExactlyOnceWith('value', {
      args: { seats: 4, when: 'e', extras: ['w', 'q'], dog: true },
    });
  });

  it('may be left unanswered', async () => {
    const onanswer = vi.fn();
    render(OutsideAsk, { ask: ask(), locked: false, onanswer });
    await fireEvent.click(screen.getByRole('button', { name: 'Do not answer' }));
    expect(onanswer).toHaveBeenCalledExactlyOnceWith('reject');
  });
});
