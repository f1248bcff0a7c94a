import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';

import { language } from '$lib/i18n/index.svelte';
import Markdown from '$lib/markdown/Markdown.svelte';
import { shop } from '$stores/shop.svelte';
import { toasts } from '$stores/toasts.svelte';

import LogsPage from '../../pages/logs/LogsPage.svelte';
import { copy } from './copy';

const clipboard = (writeText?: () => Promise<void>) =>
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: writeText && { writeText },
  });
const refused = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
const told = () => toasts.list.map((t) => [t.kind, t.text]);

describe('copying', () => {
  beforeEach(() => {
    language.current = 'ko';
    toasts.list = [];
  });

  it('says that it was done, or what to do instead', async () => {
    clipboard(() => Promise.resolve());
    expect(await copy('a')).toBe(true);
    expect(told()).toEqual([['done', '복사했어요']]);
    for (const way of [refused, undefined]) {
      toasts.list = [];
      clipboard(way);
      expect(await copy('a')).toBe(false);
      expect(told()).toEqual([['error', expect.stringContaining('직접 복사해 주세요')]]);
    }
    language.current = 'en';
    await copy('a');
    expect(told().at(-1)?.[1]).toMatch(/copy it yourself/);
  });

  it('is refused in a sentence where code is copied, and does not say that it was', async () => {
    clipboard(refused);
    const { container } = render(Markdown, { text: '```\ncode\n```' });
    const button = container.querySelector('.code-copy')!;
    await fireEvent.click(button);
    await waitFor(() => expect(told()).toEqual([['error', expect.any(String)]]));
    expect(button.classList.contains('copied')).toBe(false);
    expect(getComputedStyle(container.querySelector('code')!).userSelect).not.toBe('none');
  });

  it('is refused in a sentence where the log is copied', async () => {
    clipboard(refused);
    shop.logs.append([{ time: '2026-01-02T03:04:05Z', level: 'info', message: 'hello' }]);
    render(LogsPage);
    await fireEvent.click(await screen.findByRole('button', { name: '복사' }));
    await waitFor(() => expect(told()).toEqual([['error', expect.stringContaining('직접')]]));
  });
});
