import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { language } from '$lib/i18n/index.svelte';

import Sheet from './Sheet.svelte';

const text = {
  title: 'Bank',
  intro: 'What there is.',
  loading: 'Opening the books.',
  failed: 'The books could not be read.',
};
describe('Sheet', () => {
  const load = vi.fn(() => Promise.resolve());

  function open(view: { sum: number } | undefined, error?: Error) {
    render(Sheet<{ sum: number }>, {
      text,
      testid: 'a-page',
      of: { view, error, load },
      children: createRawSnippet(() => ({ render: () => '<p>at once</p>' })),
      loaded: createRawSnippet<[{ sum: number }]>((seen) => ({
        render: () => `<p>sum ${seen().sum}</p>`,
      })),
    });
    return screen.getByTestId('a-page');
  }

  beforeEach(() => {
    language.current = 'en';
    load.mockClear();
  });

  it('says what it is about and that it is on its way', () => {
    const page = open(undefined);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Bank');
    expect(page.textContent).toContain('at once');
    expect(screen.getByRole('status').textContent).toBe('Opening the books.');
    expect(page.textContent).not.toContain('sum');
  });

  it('says why it could not be read, and tries again', async () => {
    const page = open(undefined, new Error('The disk is full.'));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(text.failed);
    expect(page.textContent).toContain('The disk is full.');
    expect(screen.queryByRole('status')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(load).toHaveBeenCalledOnce();
  });

  it('shows what it has', () => {
    const page = open({ sum: 7 });
    expect(page.textContent).toContain('sum 7');
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('keeps what it has when it cannot be read anew, and says so', async () => {
    const page = open({ sum: 7 }, new Error('The disk is full.'));
    expect(page.textContent).toContain('sum 7');
    expect(screen.getByRole('status').textContent).toContain('what was here a moment ago');
    await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(load).toHaveBeenCalledOnce();
  });
});
