import { fireEvent, render } from '@testing-library/svelte';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import type { McpPrompt, event } from '$lib/api/types';
import { Chip } from '$stores/attachments.svelte';

import Composer from './Composer.svelte';

// The list comes when it is first wanted, which takes longer than a test waits.
beforeAll(() => Promise.all([import('./OfferList.svelte'), import('./Chips.svelte')]));

describe('a prompt of an outside server', () => {
  const prompts = [
    { server: 'desk', prompt: 'week', name: '주간 정리' },
    { server: 'desk', prompt: 'code_review', name: '코드 검토', about: '고칠 곳을 알려줘요' },
  ];

  function saying(wanted = true, held = prompts) {
    const picked: string[] = [];
    let asked = 0;
    const made = render(Composer, {
      text: '',
      replying: false,
      editing: false,
      prompts: held,
      onslash: () => asked++,
      onprompt: (p: McpPrompt) => {
        picked.push(p.prompt);
        return Promise.resolve(wanted);
      },
      onsend: (text: string) => picked.push(`sent ${text}`),
      onstop: () => undefined,
      oncancelediting: () => undefined,
    });
    const box = made.getByTestId('composer') as HTMLTextAreaElement;
    const type = (value: string) => {
      box.value = value;
      return fireEvent.input(box);
    };
    const press = (key: string) => fireEvent.keyDown(box, { key, code: key });
    return { ...made, box, picked, type, press, asked: () => asked };
  }

  it('is listed behind a slash at the start alone, narrower as one types, and asked for once', async () => {
    const { type, asked, findAllByRole, getAllByRole, queryByRole, getByRole } = saying();
    await type('어디 /');
    expect(queryByRole('option')).toBeNull();
    await type('/');
    expect(await findAllByRole('option')).toHaveLength(2);
    expect(getByRole('status').textContent).toMatch(/2/);
    await type('/cod');
    const [only, ...more] = getAllByRole('option');
    expect(more).toEqual([]);
    for (const part of ['/코드 검토', 'desk', 'code_review', '고칠 곳을 알려줘요'])
      expect(only?.textContent).toContain(part);
    expect(asked()).toBe(1);
  });

  it('is chosen with the keys, and its letters go out of the words', async () => {
    const { box, picked, type, press, findAllByRole } = saying();
    await type('/');
    await findAllByRole('option');
    await press('ArrowDown');
    expect(box.getAttribute('aria-activedescendant')).toMatch(/-1$/);
    await press('Enter');
    expect([box.value, picked]).toEqual(['', ['code_review']]);
  });

  it('is chosen with the mouse', async () => {
    const { box, picked, type, findAllByRole } = saying();
    await type('/');
    const [first] = await findAllByRole('option');
    await fireEvent.click(first as HTMLElement);
    expect([box.value, picked]).toEqual(['', ['week']]);
  });

  it('leaves what was typed when it is not wanted after all, and is not offered for it again', async () => {
    const { box, picked, type, press, findAllByRole, queryByRole } = saying(false);
    await type('/week');
    await findAllByRole('option');
    await press('Enter');
    await vi.waitFor(() => expect(box.value).toBe('/week'));
    expect(queryByRole('option')).toBeNull();
    await press('Enter');
    expect(picked).toEqual(['week', 'sent /week']);
  });

  it('stays chosen where others come late, and none goes meanwhile', async () => {
    const { box, picked, type, press, findAllByRole, getAllByRole, rerender } = saying();
    await type('/');
    await findAllByRole('option');
    await press('ArrowDown');
    const late = { server: 'other', prompt: 'late', name: '나중 것' };
    await rerender({ text: box.value, prompts: [late] });
    expect(getAllByRole('option').map((o) => o.querySelector('b')?.textContent)).toEqual([
      '/주간 정리',
      '/코드 검토',
      '/나중 것',
    ]);
    await press('Enter');
    expect(picked).toEqual(['code_review']);
  });

  it('is never sent by itself once its words are there: somebody sees them first', async () => {
    const { press, type, picked, rerender, findByText } = saying();
    const [file, prompt] = [new Chip('a.txt'), new Chip('week')];
    await type('hello');
    await rerender({ text: 'hello', chips: [file] });
    await press('Enter');
    file.attachment = { id: 'a', name: 'a.txt', kind: 'text' } as event.Attachment;
    await vi.waitFor(() => expect(picked).toEqual(['sent hello']));
    await type('again');
    await rerender({ text: 'again', chips: [file, prompt] });
    await press('Enter');
    prompt.attachment = {
      id: 'p',
      name: 'week',
      kind: 'text',
      from: { server: 'desk', prompt: 'week' },
    } as event.Attachment;
    await findByText(/아직 보내지|Not sent yet/);
    expect(picked).toEqual(['sent hello']);
    await press('Enter');
    expect(picked).toEqual(['sent hello', 'sent again']);
  });

  it('is chosen by an Enter that is held down, and not sent by it', async () => {
    const { box, type, press, picked, findAllByRole, rerender } = saying();
    await type('/week');
    await findAllByRole('option');
    await press('Enter');
    await rerender({ text: 'words' });
    await fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', repeat: true });
    expect(picked).toEqual(['week']);
  });

  it('does not come in the way of words of one’s own, nor of what merely stands in what is said of it', async () => {
    const help = { server: 'desk', prompt: 'help', name: '도움말' };
    const { box, type, press, picked, findAllByRole, rerender } = saying(true, [...prompts, help]);
    await type('/help');
    await findAllByRole('option');
    expect(box.getAttribute('aria-activedescendant')).toBeNull();
    await press('Enter');
    await type('/고칠');
    await findAllByRole('option');
    await press('Enter');
    expect(picked).toEqual(['sent /help', 'sent /고칠']);
    await type('/고칠');
    await findAllByRole('option');
    await press('ArrowUp');
    await press('Enter');
    expect(picked.at(-1)).toBe('code_review');
    // The favourite comes later than the prompt.
    await type('/week');
    await findAllByRole('option');
    const own = { id: 'f', name: 'week', text: 'my week', blanks: [] };
    await rerender({ text: '/week', favourites: [own as never] });
    await press('Enter');
    expect([picked.length, box.value]).toEqual([3, 'my week']);
  });
});
