import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { ApiError } from '$lib/api/error';
import type { Note } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';

import { text } from './messages';
import NotesPage from './NotesPage.svelte';

describe('NotesPage', () => {
  /** The box of a page without notes. */
  async function open() {
    vi.spyOn(api, 'notes').mockResolvedValue({ notes: [], trash: [], trashDays: 30 });
    render(NotesPage);
    await waitFor(() => expect(shop.notes.view).toBeDefined());
    return screen.getByLabelText<HTMLTextAreaElement>(text.write);
  }

  /** Writes in the box, and presses Enter; the result ends what the shop is asked to do then. */
  async function write(box: HTMLTextAreaElement, words: string) {
    let end: { done: (note: Note) => void; refused: (why: Error) => void } | undefined;
    vi.spyOn(api, 'addNote').mockReturnValue(
      new Promise((done, refused) => (end = { done, refused })),
    );
    await fireEvent.input(box, { target: { value: words } });
    await fireEvent.keyDown(box, { key: 'Enter' });
    if (!end) throw new Error('nothing was asked for');
    return end;
  }

  beforeEach(() => {
    language.current = 'ko';
    vi.restoreAllMocks();
    shop.notes.view = undefined;
    shop.notes.query = '';
  });

  it('keeps what is written on while the note before it is kept', async () => {
    const box = await open();
    const { done } = await write(box, '우유 사기');
    expect(box.value).toBe('');
    await fireEvent.input(box, { target: { value: '치과 예약' } });
    done({ id: 'n', text: '우유 사기' } as Note);
    await new Promise((later) => setTimeout(later));
    expect(box.value).toBe('치과 예약');
  });

  it('has the words of a note again that was refused, before those that were written since', async () => {
    const box = await open();
    const first = await write(box, '우유 사기');
    first.refused(new ApiError('storage_failed', ''));
    await waitFor(() => expect(box.value).toBe('우유 사기'));
    const second = await write(box, '우유 사기');
    await fireEvent.input(box, { target: { value: '치과 예약' } });
    second.refused(new ApiError('storage_failed', ''));
    await waitFor(() => expect(box.value).toBe('우유 사기\n치과 예약'));
  });
});
