// The short card: what decides is in sight, or the button that acts is not there.
import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { Ask } from '$stores/asks.svelte';
import { askOpened } from '../test/shapes';

import AskCard from './AskCard.svelte';
import { GUARD_MS } from './guard.svelte';

const choice = (name: string) =>
  document.querySelector<HTMLButtonElement>(`[data-choice="${name}"]`);
const settle = () => vi.advanceTimersByTimeAsync(GUARD_MS);

/** What of the card is longer than its place, as a window would draw it. */
let longer: string[] = [];
const heights = (over: number) =>
  function (this: HTMLElement) {
    return longer.some((s) => this.matches(s)) ? 100 + over : 100;
  };
class Drawn {
  constructor(private readonly tell: () => void) {}
  observe() {
    this.tell();
  }
  unobserve() {}
  disconnect() {}
}

beforeEach(() => {
  vi.useFakeTimers();
  language.current = 'en';
  longer = [];
  vi.spyOn(api, 'answer').mockResolvedValue();
  vi.stubGlobal('ResizeObserver', Drawn);
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(heights(200));
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(heights(0));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const approval = (more: object = {}) =>
  askOpened('a1', {
    kind: 'approval',
    choices: ['approve', 'edit', 'reject'],
    tool: 'transfer',
    args: { to: 'Kim', amount: 15000 },
    digest: 'd1',
    ...more,
  });
const draw = (opened: ReturnType<typeof approval>, onunfold = vi.fn()) => ({
  onunfold,
  ...render(AskCard, { ask: new Ask(opened, ''), short: true, onunfold }),
});

describe('a short approval', () => {
  it('is approved at once where its values stand beside the buttons', async () => {
    longer = ['.body']; // what it means goes on below
    draw(approval({ effect: 'Sends 15,000 won.' }));
    await settle();
    expect(screen.getByTestId('ask-gist').textContent).toContain('15000');
    expect(screen.getByTestId('ask-unfold')).toBeTruthy();
    await fireEvent.click(choice('approve')!);
    expect(api.answer).toHaveBeenCalledOnce();
  });

  const below = {
    'a change': { preview: { diff: '+one\n+two' } },
    'a long value': { args: { to: 'Kim', text: 'x'.repeat(200) } },
    'what somebody else said': {
      origins: [{ arg: 'to', value: 'Kim', from: 'tool', trusted: false, text: 'From a page.' }],
    },
  };
  for (const [what, more] of Object.entries(below))
    it(`is not approved while ${what} is out of sight`, async () => {
      longer = ['.body.short'];
      const { onunfold, rerender, container } = draw(approval(more));
      await settle();
      expect(choice('approve')).toBeNull();
      expect(choice('reject')).toBeTruthy();
      const card = screen.getByTestId('ask-card');
      await fireEvent.keyDown(card, { key: 'Enter', ctrlKey: true });
      expect(api.answer).not.toHaveBeenCalled();
      expect(onunfold).toHaveBeenCalledOnce();
      await rerender({ short: false });
      // A second press comes too early for having read it.
      await fireEvent.keyDown(card, { key: 'Enter', ctrlKey: true });
      expect(api.answer).not.toHaveBeenCalled();
      expect(container.contains(document.activeElement)).toBe(true);
      await settle();
      await fireEvent.click(choice('approve')!);
      expect(api.answer).toHaveBeenCalledOnce();
    });

  it('is approved where the change is in sight whole', async () => {
    draw(approval(below['a change']));
    await settle();
    expect(choice('approve')!.disabled).toBe(false);
    expect(screen.queryByTestId('ask-unfold')).toBeNull();
  });

  it('reaches the values that scroll by keyboard, and shows all before it is approved', async () => {
    longer = ['.gist'];
    draw(approval());
    await settle();
    expect(screen.getByTestId('ask-gist').tabIndex).toBe(0);
    expect(choice('approve')).toBeNull();
    expect(screen.getByTestId('ask-unfold').dataset.go).toBe('true');
  });

  it('warns of hidden letters of a value below, once', () => {
    draw(approval({ args: { to: 'Kim', text: `${'x'.repeat(200)}\u202e` } }));
    expect(screen.getAllByText(/direction-changing/)).toHaveLength(1);
    const warned = screen.getByText(/direction-changing/);
    expect(screen.getByTestId('ask-gist').contains(warned)).toBe(true);
  });

  it('is not approved while its question goes on', async () => {
    longer = ['header .question'];
    const question = `Send it? ${'x'.repeat(300)}`;
    draw(approval({ question }));
    await settle();
    expect(choice('approve')).toBeNull();
    expect(screen.getByText(question).title).toBe(question);
    expect(screen.getByTestId('ask-card').getAttribute('aria-label')).toBe(question);
  });
});

describe('a question of an outside server', () => {
  const fields = [
    {
      name: 'secret',
      kind: 'text' as const,
      title: 'Secret',
      required: true,
      default: 'all of it',
    },
  ];
  const prompt = { system: 'Be brief', messages: [{ text: 'Name a table' }], most: 30 };
  for (const [what, more, words] of [
    ['a form', { fields }, 'Fill this in'],
    ['words of the model', { fields: [], prompt }, 'Name a table'],
  ] as const)
    it(`for ${what} is never short`, () => {
      longer = ['.body.short'];
      const form = { server: 'table', message: 'Fill this in', ...more };
      draw(
        askOpened('o1', {
          kind: 'outside',
          choices: ['value', 'reject'],
          form: { ...form, fields: [...form.fields] },
        } as never),
      );
      expect(screen.getByTestId('ask-body').classList.contains('short')).toBe(false);
      expect(screen.getByText(words)).toBeTruthy();
      expect(screen.queryByTestId('ask-unfold')).toBeNull();
    });
});

describe('a short lock question', () => {
  const asked = (holders: string[]) =>
    askOpened('l1', {
      question: 'Old name has it.',
      choices: ['wait', 'cancel', 'stop_other'],
      holders: holders.map((jobId) => ({
        jobId,
        title: `Song ${jobId}`,
        tool: 'song',
        leaseId: `lease-${jobId}`,
        since: '2026-01-05T09:00:00Z',
        reserved: true,
      })),
    });

  it('says beside the button which job it stops', async () => {
    draw(asked(['j1']));
    const row = document.querySelector('[data-holder="j1"]')!.closest('li')!;
    expect(row.textContent).toContain('Song j1');
    expect(row.textContent).toContain('about to use it');
    expect(screen.getByTestId('ask-gist').contains(row)).toBe(true);
    await settle();
    expect(choice('wait')).toBeTruthy();
  });

  it('has its buttons, and shows all beside them, where its question goes on', async () => {
    longer = ['header .question'];
    draw(asked(['j1']));
    await settle();
    expect(choice('wait')!.dataset.go).toBe('true');
    expect(screen.getByTestId('ask-unfold').dataset.go).toBeUndefined();
  });

  it('keeps the focus on that button when it is folded and opened', async () => {
    const { rerender } = draw(asked(['j1']));
    await settle();
    const stop = () => document.querySelector<HTMLButtonElement>('[data-holder="j1"]')!;
    stop().focus();
    await rerender({ short: false });
    await vi.advanceTimersByTimeAsync(0);
    expect(document.activeElement).toBe(stop());
    await rerender({ short: true });
    await vi.advanceTimersByTimeAsync(0);
    expect(document.activeElement).toBe(stop());
  });
});
