import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api, type AskOpened } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { Ask } from '$stores/asks.svelte';
import { askOpened } from '../test/shapes';

import AskCard from './AskCard.svelte';
import { GUARD_MS } from './guard.svelte';

const choice = (name: string) =>
  document.querySelector<HTMLButtonElement>(`[data-choice="${name}"]`)!;
const settle = () => vi.advanceTimersByTimeAsync(GUARD_MS);

const approval = askOpened('a1', {
  kind: 'approval',
  choices: ['approve', 'edit', 'reject'],
  tool: 'transfer',
  effect: 'Sends 15,000 won.',
  args: { to: 'Kim\u202eevil\u200b', amount: 15000 },
  digest: 'd1',
});

beforeEach(() => {
  vi.useFakeTimers();
  language.current = 'en';
  vi.spyOn(api, 'answer').mockResolvedValue();
});
afterEach(() => void vi.useRealTimers());

describe('an approval', () => {
  it('ignores clicks until it has been there for a moment', async () => {
    render(AskCard, { ask: new Ask(approval, '') });
    await fireEvent.click(choice('approve'));
    expect(api.answer).not.toHaveBeenCalled();
    await settle();
    await fireEvent.click(choice('approve'));
    expect(api.answer).toHaveBeenCalledExactlyOnceWith({
      ask: 'a1',
      choice: 'approve',
      digest: 'd1',
    });
  });

  it('ignores clicks again when what is asked changes', async () => {
    const ask = new Ask(approval, '');
    render(AskCard, { ask });
    await settle();
    ask.update({ ...approval, args: { to: 'Lee', amount: 99 }, digest: 'd2' });
    await vi.advanceTimersByTimeAsync(1);
    await fireEvent.click(choice('approve'));
    expect(api.answer).not.toHaveBeenCalled();
    await settle();
    await fireEvent.click(choice('approve'));
    expect(api.answer).toHaveBeenCalledExactlyOnceWith({
      ask: 'a1',
      choice: 'approve',
      digest: 'd2',
    });
  });

  it('has the focus nowhere, and no key of its own', async () => {
    render(AskCard, { ask: new Ask(approval, '') });
    await settle();
    expect(document.activeElement).toBe(document.body);
    for (const key of ['Enter', 'a', 'y', ' ']) await fireEvent.keyDown(document.body, { key });
    expect(api.answer).not.toHaveBeenCalled();
  });

  it('is approved with two keys at once, where it has the focus, and only once it may be', async () => {
    render(AskCard, { ask: new Ask(approval, '') });
    const card = screen.getByTestId('ask-card');
    card.focus();
    const both = () => fireEvent.keyDown(card, { key: 'Enter', ctrlKey: true });
    await both();
    expect(api.answer).not.toHaveBeenCalled();
    await settle();
    await fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
    expect(api.answer).not.toHaveBeenCalled();
    await both();
    expect(api.answer).toHaveBeenCalledExactlyOnceWith({
      ask: 'a1',
      choice: 'approve',
      digest: 'd1',
    });
  });

  it('is left with Escape: first what was begun in it, then the card', async () => {
    const box = document.body.appendChild(document.createElement('textarea'));
    box.dataset['testid'] = 'composer';
    render(AskCard, { ask: new Ask(approval, '') });
    await settle();
    const card = screen.getByTestId('ask-card');
    await fireEvent.click(choice('reject'));
    await fireEvent.keyDown(screen.getByLabelText(/different/), { key: 'Escape' });
    expect(document.activeElement).toBe(card);
    expect(choice('approve')).toBeTruthy();
    await fireEvent.keyDown(card, { key: 'Escape' });
    await vi.advanceTimersByTimeAsync(50);
    expect(document.activeElement).toBe(box);
    box.remove();
    expect(api.answer).not.toHaveBeenCalled();
  });

  it('says each value once: what the change shows is not told again beside it', () => {
    const args = { path: 'a.txt', text: 'two\nthree' };
    const preview = { text: 'Adds to a.txt', diff: '@@ -9,1 +9,3 @@\n one\n+two\n+three\n' };
    const first = render(AskCard, { ask: new Ask({ ...approval, args, preview }, '') });
    expect(screen.getByText('Line 9')).toBeTruthy();
    expect(screen.getByText('a.txt')).toBeTruthy();
    expect(screen.queryByText('text')).toBeNull();
    first.unmount();
    const cut = { ...preview, cut: true };
    render(AskCard, { ask: new Ask({ ...approval, args, preview: cut }, '') });
    expect(screen.getByText('text')).toBeTruthy();
  });

  it('shows every value, and what hides in it', () => {
    render(AskCard, { ask: new Ask(approval, '') });
    expect(screen.getByText('Sends 15,000 won.')).toBeTruthy();
    expect(screen.getByText('15000')).toBeTruthy();
    expect(screen.getByText('U+202E')).toBeTruthy();
    expect(screen.getByText('U+200B')).toBeTruthy();
  });

  it('reaches as far as was read, and no further', async () => {
    const scopes: AskOpened['scopes'] = [
      { scope: 'once', words: 'Only this once' },
      { scope: 'chat', words: 'Do not ask again in this chat', default: true },
    ];
    const first = render(AskCard, { ask: new Ask({ ...approval, scopes }, '') });
    expect(screen.getByTestId('reaches').textContent).toContain('Do not ask again in this chat');
    expect(screen.getByTestId('scopes')).toBeTruthy();
    await settle();
    await fireEvent.click(choice('approve'));
    const yes = { ask: 'a1', choice: 'approve', digest: 'd1' };
    expect(api.answer).toHaveBeenLastCalledWith({ ...yes, scope: 'chat' });
    first.unmount();

    render(AskCard, { ask: new Ask({ ...approval, scopes: scopes.slice(0, 1) }, '') });
    expect(screen.queryByTestId('reaches')).toBeNull();
    expect(screen.queryByTestId('scopes')).toBeNull();
    await settle();
    await fireEvent.click(choice('approve'));
    expect(api.answer).toHaveBeenLastCalledWith({ ...yes, scope: 'once' });
  });

  it('shows what would be written with signs, and says when that is not all', () => {
    const preview = {
      text: 'Writes a.txt',
      diff: '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n same\n-- old\n+new\u202e',
      cut: true,
    };
    render(AskCard, { ask: new Ask({ ...approval, preview }, '') });
    const lines = [...screen.getByTestId('diff').querySelectorAll('.line')];
    expect(lines.map((l) => l.querySelector('.sign')?.textContent)).toEqual([...['', '−', '+']]);
    expect(lines[1]?.querySelector('bdi')?.textContent).toBe('- old');
    expect(lines[2]?.querySelector('bdi')?.textContent).toBe('newU+202E');
    expect(screen.getByText('Writes a.txt')).toBeTruthy();
    expect(screen.getByText(/only the beginning/)).toBeTruthy();
  });

  it('warns of values that somebody else said, and of nothing else', () => {
    const origins = [
      {
        arg: 'to',
        value: 'Kim',
        from: 'tool',
        trusted: false,
        text: 'From a page.',
        quote: 'pay Kim',
      },
      { arg: 'amount', value: '1', from: 'customer', trusted: true, text: 'You said it.' },
    ];
    render(AskCard, { ask: new Ask({ ...approval, origins, like: 3, why: 'A rule asks.' }, '') });
    const warned = screen.getByTestId('origins');
    expect(warned.textContent).toContain('From a page.');
    expect(warned.textContent).toContain('pay Kim');
    expect(warned.textContent).not.toContain('You said it.');
    expect(screen.getByText('Question 3 of this kind in this job.')).toBeTruthy();
    expect(screen.getByText('A rule asks.')).toBeTruthy();
  });

  it('says what approving means and why it asks, even in the same words', () => {
    render(AskCard, { ask: new Ask({ ...approval, effect: 'Same.', why: 'Same.' }, '') });
    expect(screen.getAllByText('Same.')).toHaveLength(2);
  });

  it('is rejected with a sentence', async () => {
    render(AskCard, { ask: new Ask(approval, '') });
    await settle();
    await fireEvent.click(choice('reject'));
    const box = screen.getByLabelText<HTMLTextAreaElement>(/different/);
    await fireEvent.input(box, { target: { value: ' Only 5,000 ' } });
    await fireEvent.click(choice('reject'));
    expect(api.answer).toHaveBeenCalledWith({
      ask: 'a1',
      choice: 'reject',
      text: 'Only 5,000',
      digest: 'd1',
    });
  });

  it('is asked anew with edited values of the same kinds', async () => {
    render(AskCard, { ask: new Ask(approval, '') });
    await settle();
    await fireEvent.click(choice('edit'));
    await fireEvent.input(screen.getByLabelText('amount'), { target: { value: '5000' } });
    await fireEvent.click(screen.getByText('Ask again with these'));
    const args = { to: 'Kim\u202eevil\u200b', amount: 5000 };
    expect(api.answer).toHaveBeenCalledWith({ ask: 'a1', choice: 'edit', args, digest: 'd1' });
  });

  it('has a field for each value inside a list, and shows text only to who asks for it', async () => {
    const nested = { to: 'Kim', rows: [{ name: 'a', n: 1 }] };
    render(AskCard, { ask: new Ask({ ...approval, args: nested }, '') });
    expect(document.body.textContent).not.toContain('{');
    await settle();
    await fireEvent.click(choice('edit'));
    expect(document.querySelector('textarea')).toBeNull();
    await fireEvent.input(screen.getByLabelText('n'), { target: { value: 'x' } });
    await fireEvent.click(screen.getByText('Ask again with these'));
    expect(screen.getByText('Enter a number.')).toBeTruthy();
    expect(api.answer).not.toHaveBeenCalled();
    await fireEvent.input(screen.getByLabelText('n'), { target: { value: '2' } });
    await fireEvent.click(screen.getByTestId('args-as-text'));
    const box = document.querySelector('textarea')!;
    expect(JSON.parse(box.value)).toEqual({ to: 'Kim', rows: [{ name: 'a', n: 2 }] });
    const args = { to: 'Kim', rows: [] };
    await fireEvent.input(box, { target: { value: JSON.stringify(args) } });
    await fireEvent.click(screen.getByText('Ask again with these'));
    expect(api.answer).toHaveBeenCalledWith({ ask: 'a1', choice: 'edit', args, digest: 'd1' });
  });
});

describe('a question for a value', () => {
  it('offers the names that come nearest, each with one click', async () => {
    const asked = askOpened('a1', {
      kind: 'input',
      choices: ['value', 'cancel'],
      near: ['Busan', 'Bucheon'],
    });
    render(AskCard, { ask: new Ask(asked, '') });
    await fireEvent.click(screen.getByText('Busan'));
    expect(api.answer).not.toHaveBeenCalled();
    await settle();
    await fireEvent.click(screen.getByText('Busan'));
    expect(api.answer).toHaveBeenCalledExactlyOnceWith({
      ask: 'a1',
      choice: 'value',
      text: 'Busan',
    });
  });
});

describe('a lock', () => {
  const holder = (jobId: string, title: string) => ({
    jobId,
    title,
    tool: 'song',
    leaseId: `lease-${jobId}`,
    since: new Date().toISOString(),
  });
  const lock = () =>
    askOpened('l1', {
      choices: ['wait', 'cancel', 'stop_other'],
      place: 2,
      holders: [holder('j1', 'First song'), holder('j2', 'Second song')],
    });

  it('names who holds it since when, with a button for each', async () => {
    render(AskCard, { ask: new Ask(lock(), '') });
    expect(screen.getByText('First song')).toBeTruthy();
    expect(screen.getByText(/no. 2 in line/)).toBeTruthy();
    await vi.advanceTimersByTimeAsync(5000);
    expect(screen.getAllByText('for 5s')).toHaveLength(2);
    const stop = document.querySelector<HTMLButtonElement>('[data-holder="j2"]')!;
    expect(stop.getAttribute('aria-label')).toContain('Second song');
    await fireEvent.click(stop);
    expect(api.answer).toHaveBeenCalledWith({ ask: 'l1', choice: 'stop_other', holder: 'j2' });
  });

  it('waits or cancels', async () => {
    render(AskCard, { ask: new Ask(lock(), '') });
    await settle();
    await fireEvent.click(choice('wait'));
    expect(api.answer).toHaveBeenCalledWith({ ask: 'l1', choice: 'wait' });
  });
});
