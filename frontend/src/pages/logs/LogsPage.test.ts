import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';

import type { LogLevel } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';

import LogsPage from './LogsPage.svelte';

describe('LogsPage', () => {
  beforeEach(() => {
    language.current = 'ko';
    shop.logs.clear();
  });

  const lines = () => screen.getByTestId('log-stream').dataset['lines'];
  const add = (count: number, level: LogLevel = 'info') =>
    shop.logs.append(
      Array.from({ length: count }, (_, i) => ({
        time: '2026-01-01T00:00:00Z',
        level,
        message: `line ${i}`,
      })),
    );

  it('teaches what comes here while it is empty', () => {
    render(LogsPage);
    expect(screen.getByText('아직 로그가 없어요')).toBeTruthy();
  });

  it('follows, stands still while paused, and catches up', async () => {
    add(10);
    render(LogsPage);
    expect(lines()).toBe('10');
    await fireEvent.click(screen.getByRole('button', { name: '멈추기' }));
    add(5);
    await screen.findByText('새 줄 5개');
    expect(lines()).toBe('10');
    await fireEvent.click(screen.getByRole('button', { name: /따라가기/ }));
    await waitFor(() => expect(lines()).toBe('15'));
  });

  it('draws a screenful of many thousand lines', () => {
    add(15_000);
    const { container } = render(LogsPage);
    expect(lines()).toBe('15000');
    expect(container.querySelectorAll('.row').length).toBeLessThan(80);
  });

  it('narrows down by level and by words', async () => {
    add(3);
    add(2, 'error');
    render(LogsPage);
    await fireEvent.click(screen.getByRole('radio', { name: '오류' }));
    await waitFor(() => expect(lines()).toBe('2'));
    await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'line 1' } });
    await waitFor(() => expect(lines()).toBe('1'));
    await fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'nothing' } });
    await screen.findByText('조건에 맞는 줄이 없어요.');
  });
});
