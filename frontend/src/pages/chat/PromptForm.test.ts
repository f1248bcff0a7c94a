import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { McpPrompt, McpResource } from '$lib/api/types';
import { shop } from '$stores/shop.svelte';

import PromptForm from './PromptForm.svelte';
import ResourceForm from './ResourceForm.svelte';

const boxes = () => screen.getAllByRole<HTMLTextAreaElement>('textbox');
const type = (box: HTMLElement, value: string) => fireEvent.input(box, { target: { value } });

describe('the form of a prompt', () => {
  type Told = Record<string, string>;
  const answers: ((list: string[]) => void)[] = [];
  const asked: string[] = [];
  const told: Told[] = [];
  const chats = new Set<string>();
  beforeEach(() => {
    vi.useFakeTimers();
    for (const list of [answers, asked, told]) list.length = 0;
    vi.spyOn(shop.attachments, 'completePrompt').mockImplementation(
      (chat, _prompt, _values, _field, typed) => {
        chats.add(chat);
        asked.push(typed);
        return new Promise((done) => answers.push(done));
      },
    );
  });
  afterEach(() => vi.useRealTimers());

  function form(keys = ['code', 'language']) {
    const prompt: McpPrompt = {
      server: 'desk',
      prompt: 'review',
      name: 'Review',
      completes: true,
      fields: keys.map((key) => ({ key, name: key, required: key !== 'language' })),
    };
    const ontake = (values: Told) => Promise.resolve(void told.push(values));
    render(PromptForm, { chat: 'errands', prompt, ontake, onclose: () => undefined });
    const [first, second] = boxes() as [HTMLTextAreaElement, HTMLTextAreaElement];
    return { first, second };
  }
  const answer = async (...list: string[]) => {
    answers.shift()?.(list);
    await vi.advanceTimersByTimeAsync(0);
  };
  const offered = () => screen.queryByTestId('prompt-offered');

  it('tells the server of what is typed in a pause alone, one question at a time', async () => {
    const { first } = form();
    await vi.advanceTimersByTimeAsync(1000);
    await answer();
    asked.length = 0;
    for (const part of ['g', 'gl', 'gle']) await type(first, part);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['gle']);
    await type(first, 'glea');
    await vi.advanceTimersByTimeAsync(1000);
    await type(first, 'gleam');
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['gle']);
    await answer('late');
    expect(offered()).toBeNull();
    expect(asked).toEqual(['gle', 'gleam']);
    await answer('gleam 1', 'gleam 2');
    expect(offered()?.children).toHaveLength(2);
    expect([...chats]).toEqual(['errands']);
  });

  it('offers nothing that comes after one was chosen', async () => {
    const { first } = form();
    first.focus();
    await type(first, 'g');
    await vi.advanceTimersByTimeAsync(1000);
    await answer('go', 'gleam');
    await type(first, 'gl');
    await vi.advanceTimersByTimeAsync(1000);
    await fireEvent.click(screen.getByRole('button', { name: 'gleam' }));
    expect(first.value).toBe('gleam');
    await answer('glue');
    await vi.advanceTimersByTimeAsync(1000);
    expect(offered()).toBeNull();
  });

  it('waits with Enter for the syllable that the input method still has', async () => {
    const { first } = form();
    await type(first, '안');
    await fireEvent.keyDown(first, { key: 'Enter', code: 'Enter', keyCode: 229 });
    expect(told).toEqual([]);
    await type(first, '안녕');
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toEqual([{ code: '안녕' }]);
  });

  it('takes any name for a field', async () => {
    const { first, second } = form(['constructor', '__proto__']);
    expect([first.value, second.value]).toEqual(['', '']);
    await type(first, 'a');
    await type(second, 'b');
    await fireEvent.keyDown(second, { key: 'Enter', code: 'Enter' });
    expect(Object.entries(told[0] ?? {})).toEqual([
      ['constructor', 'a'],
      ['__proto__', 'b'],
    ]);
  });

  it('starts in its first field', async () => {
    const { first } = form();
    await vi.advanceTimersByTimeAsync(1000);
    expect(document.activeElement).toBe(first);
  });
});

describe('the form of a resource', () => {
  it('takes any name for a field, and starts in the first', async () => {
    const read: Record<string, string>[] = [];
    render(ResourceForm, {
      resource: {
        server: 'desk',
        address: 'a://{constructor}',
        name: 'A',
        fields: ['constructor'],
      } as McpResource,
      onread: (values: Record<string, string>) => read.push(values),
      onclose: () => undefined,
    });
    const [box] = boxes() as [HTMLTextAreaElement];
    await vi.waitFor(() => expect(document.activeElement).toBe(box));
    expect(box.value).toBe('');
    await type(box, 'x');
    await fireEvent.submit(screen.getByTestId('resource-form'));
    expect(Object.entries(read[0] ?? {})).toEqual([['constructor', 'x']]);
  });
});
