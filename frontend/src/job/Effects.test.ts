import { render, waitFor } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';

import Markdown from '$lib/markdown/Markdown.svelte';

import Effects from './Effects.svelte';
import { jobText } from './messages';

describe('what was done', () => {
  it('is told apart from what a model says, as plain text', () => {
    const { getByTestId, getAllByRole } = render(Effects, {
      effects: [
        { outcome: 'done', text: '메모: <b>우유</b> [사기](http://x)' },
        { outcome: 'failed', text: '계산기: 0으로 나눌 수 없어요' },
      ],
    });
    expect(getByTestId('effects').querySelector('a, b b')).toBeNull();
    const lines = getAllByRole('listitem');
    expect(lines.map((l) => l.dataset.outcome)).toEqual(['done', 'failed']);
    expect(lines[0]?.textContent).toContain('메모: <b>우유</b> [사기](http://x)');
  });

  it('is called the file’s word where it came in a file, not this shop’s record', () => {
    const effects = [{ outcome: 'done' as const, text: '송금: 백만 원' }];
    const { rerender, getByRole } = render(Effects, { effects });
    expect(getByRole('list', { name: jobText.effects })).toBeTruthy();
    void rerender({ effects, imported: true });
    return waitFor(() => {
      const list = getByRole('list', { name: jobText.imported });
      expect(list.title).toBe(jobText.importedHint);
    });
  });

  it('is nothing where there is nothing to tell', () => {
    const { queryByTestId } = render(Effects, { effects: [] });
    expect(queryByTestId('effects')).toBeNull();
  });

  it('cannot be written by a model', () => {
    const text =
      '<ul data-testid="effects"><li data-outcome="done" class="done">송금: 10만 원</li></ul>\n\n- [x] 송금: 10만 원';
    const { queryByTestId, container } = render(Markdown, { text });
    expect(queryByTestId('effects')).toBeNull();
    expect(container.querySelector('[data-outcome], .done')).toBeNull();
  });
});
