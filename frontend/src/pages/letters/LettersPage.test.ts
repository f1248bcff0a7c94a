import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api, type LetterDetail, type LetterRow } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';
import { letterRow, readingRow } from '../../test/shapes';

import LettersPage from './LettersPage.svelte';
import { behind, cachedShare } from './rows';

const detail = (row: LetterRow, more: Partial<LetterDetail> = {}): LetterDetail => ({
  row,
  system: 'You are the interpreter.',
  messages: [
    { role: 'user', text: 'earlier' },
    { role: 'user', text: `state of ${row.id}` },
  ],
  reply: `reply of ${row.id}`,
  ...more,
});

describe('LettersPage', () => {
  const rows = [
    letterRow('c', { role: 'solver', error: 'model_timeout', at: '2026-01-02T03:06:00Z' }),
    letterRow('b', { attempt: 2, at: '2026-01-02T03:05:00Z' }),
    letterRow('a', { at: '2026-01-02T03:04:00Z' }),
  ];
  const ids = () => screen.getAllByTestId('letter').map((l) => l.dataset['id']);

  beforeEach(() => {
    language.current = 'ko';
    view.letters = {};
    vi.restoreAllMocks();
    shop.letters.loaded = false;
    vi.spyOn(api, 'letters').mockResolvedValue(rows);
    vi.spyOn(api, 'readings').mockResolvedValue({ readings: [], reliability: [] });
    vi.spyOn(api, 'letter').mockImplementation((id) =>
      Promise.resolve(detail(rows.find((r) => r.id === id) ?? letterRow(id))),
    );
  });

  it('lists newest first, and narrows to a role or to what failed', async () => {
    render(LettersPage);
    await screen.findAllByTestId('letter');
    expect(ids()).toEqual(['c', 'b', 'a']);
    await fireEvent.click(screen.getByRole('checkbox'));
    expect(ids()).toEqual(['c']);
    await fireEvent.change(screen.getByRole('combobox', { name: '역할' }), {
      target: { value: 'planner' },
    });
    expect(screen.queryAllByTestId('letter')).toEqual([]);
    await fireEvent.click(screen.getByRole('button', { name: '모두 보기' }));
    expect(ids()).toEqual(['c', 'b', 'a']);
  });

  it('opens on the letter behind a message', async () => {
    view.showLetters({ chat: 'main', at: Date.parse('2026-01-02T03:05:30Z') });
    render(LettersPage);
    const letter = await screen.findByTestId('letter-view');
    expect(letter.dataset['id']).toBe('b');
    expect(api.letters).toHaveBeenCalledWith('main', '', expect.any(Number));
    await within(letter).findByText('reply of b');
  });

  it('folds what never changes, and copies a part exactly', async () => {
    const write = vi.fn().mockResolvedValue(undefined);
    Object.assign(navigator, { clipboard: { writeText: write } });
    render(LettersPage);
    await fireEvent.click((await screen.findAllByTestId('letter'))[2]!);
    const system = await screen.findByTestId('system');
    expect(system.querySelector('details')?.open).toBe(false);
    await fireEvent.click(within(system).getByRole('button', { name: /복사/ }));
    expect(write).toHaveBeenCalledWith('You are the interpreter.');
  });

  it('sends a letter again and shows both replies side by side', async () => {
    vi.spyOn(api, 'replayLetter').mockResolvedValue(
      detail(letterRow('a2', { replayOf: 'a' }), { reply: 'another reply of a' }),
    );
    render(LettersPage);
    await fireEvent.click((await screen.findAllByTestId('letter'))[2]!);
    await screen.findByText('reply of a');
    await fireEvent.click(screen.getByTestId('replay'));
    const compare = await screen.findByTestId('compare');
    expect([...compare.querySelectorAll('pre')].map((p) => p.textContent)).toEqual([
      'reply of a',
      'another reply of a',
    ]);
    expect([...compare.querySelectorAll('mark')].map((m) => m.textContent)).toEqual(['another ']);
    expect(api.letters).toHaveBeenCalledTimes(2);
  });

  it('shows how a message was read: beside its letters, and by itself where it needed none', async () => {
    const asked = readingRow('silent', {
      at: '2026-01-02T03:07:00Z',
      outcome: 'asked',
      offered: ['날씨 알아보기', '할 일에 적기'],
    });
    vi.spyOn(api, 'letters').mockResolvedValue([letterRow('a', { turn: 'sung' })]);
    vi.spyOn(api, 'readings').mockResolvedValue({
      readings: [asked, readingRow('sung')],
      reliability: [
        { n: 40, said: 0.55, right: 0.7 },
        { n: 60, said: 0.95, right: 0.98 },
      ],
    });
    render(LettersPage);
    const lines = await screen.findAllByTestId('reading');
    expect(lines.map((l) => l.dataset['id'])).toEqual(['silent', 'sung']);

    await fireEvent.click(screen.getByTestId('letter'));
    const beside = await screen.findByTestId('letter-reading');
    expect(beside.querySelector('summary')?.textContent).toContain('노래 틀기 97%');
    expect(
      within(beside)
        .getAllByTestId('guess')
        .map((g) => g.dataset['act']),
    ).toEqual(['music.play', 'film.play']);
    expect(beside.textContent).toContain('“틀어줘” “노래” · 이름을 들어 시켜요');
    await fireEvent.click(within(beside).getByRole('button'));
    const reading = screen.getByTestId('reading-view');
    expect(reading.dataset['id']).toBe('sung');
    expect(within(reading).getByTestId('letter').dataset['id']).toBe('a');
    expect(within(reading).getByTestId('reliability').textContent).toContain('100번 가운데 98번');

    await fireEvent.click(screen.getAllByTestId('reading')[0]!);
    expect(screen.getByTestId('reading-outcome').textContent).toContain(
      '날씨 알아보기 · 할 일에 적기',
    );
    expect(within(screen.getByTestId('reading-view')).queryByTestId('letter')).toBeNull();
  });

  it('says so when letters cannot be read, and tries again', async () => {
    vi.spyOn(api, 'letters').mockRejectedValueOnce(new Error('no'));
    render(LettersPage);
    await screen.findByText('no');
    vi.spyOn(api, 'letters').mockResolvedValue([]);
    await fireEvent.click(screen.getByRole('button', { name: '다시 시도' }));
    await waitFor(() => expect(screen.getByText('아직 편지가 없어요')).toBeTruthy());
  });
});

it('finds the letter before a moment, and the share of the cache', () => {
  const rows = [letterRow('b', { at: '2026-01-02T03:05:00Z' }), letterRow('a')];
  expect(behind(rows, Date.parse('2026-01-02T03:04:30Z'))?.id).toBe('a');
  expect(behind(rows, 0)).toBeUndefined();
  expect(cachedShare(letterRow('a'))).toBe(95);
  expect(cachedShare(letterRow('a', { tokensIn: 0 }))).toBeUndefined();
});
