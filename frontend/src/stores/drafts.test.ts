import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { event } from '$lib/api/types';

import { Attachments, Chip } from './attachments.svelte';
import { flush, keepDraft, takeUp } from './drafts';
import { View } from './view.svelte';

const trip = { documentId: 'trip', title: 'Trip' };

describe('what is typed and not sent', () => {
  let view: View;
  let files: Attachments;
  let kept: Record<string, string>;
  beforeEach(() => {
    view = new View();
    files = new Attachments();
    kept = {};
    vi.spyOn(api, 'saveDraft').mockImplementation((chat, data) => {
      kept[chat] = data;
      return Promise.resolve();
    });
  });

  /** What stands in the box after the page went and came again. */
  function again(chat: string): View {
    keepDraft(view, files, chat);
    flush(true);
    const next = new View();
    files = new Attachments();
    takeUp(next, files, kept);
    return next;
  }

  const file = (id: string) => ({ id, name: `${id}.md`, kind: 'text' }) as event.Attachment;
  const chips = (...ids: string[]) => ids.map((id) => Chip.of(file(id)));
  const there = (chat: string) => files.of(chat).map((c) => c.attachment?.id);

  it('is there again after a restart', () => {
    view.drafts.plain = 'half a wish';
    view.about.plain = trip;
    const next = again('plain');
    expect(next.drafts.plain).toBe('half a wish');
    expect(next.about.plain).toEqual(trip);
    expect(next.editing.plain).toBeUndefined();
  });

  it('is read as an older version wrote it', () => {
    takeUp(view, files, { old: '{"text":"half a wish"}', torn: '{"te' });
    expect(view.drafts).toEqual({ old: 'half a wish' });
    expect(view.editing.old).toBeUndefined();
  });

  it('is kept beside the words of a request that is being changed, and with what was chosen for it', () => {
    view.drafts.edit = 'half a wish';
    view.about.edit = trip;
    view.edit('edit', 'q1', 'the request', undefined, { back: ['j1'], model: 'ollama/shop' });
    view.drafts.edit = 'other words';
    const next = again('edit');
    expect(next.drafts.edit).toBe('other words');
    expect(next.about.edit).toBeUndefined();
    expect(next.editing.edit).toMatchObject({ id: 'q1', back: ['j1'], model: 'ollama/shop' });
    next.stopEditing('edit');
    expect(next.drafts.edit).toBe('half a wish');
    expect(next.about.edit).toEqual(trip);
  });

  it('is kept while the box of a change is empty', () => {
    view.drafts.wiped = 'half a wish';
    view.edit('wiped', 'q1', 'the request');
    view.drafts.wiped = '';
    const next = again('wiped');
    expect(next.drafts.wiped).toBe('');
    next.stopEditing('wiped');
    expect(next.drafts.wiped).toBe('half a wish');
  });

  it('stands above the words of a change whose request is gone by the restart', () => {
    view.drafts.gone = 'half a wish';
    view.edit('gone', 'q1', 'the request', trip);
    view.drafts.gone = 'other words';
    const next = again('gone');
    next.lose('gone');
    expect(next.drafts.gone).toBe('half a wish\n\nother words');
    expect(next.about.gone).toEqual(trip);
    expect(next.editing.gone).toBeUndefined();
  });

  it('comes back alone where the request goes while it is being changed', () => {
    view.drafts.cut = 'half a wish';
    view.edit('cut', 'q1', 'the request');
    view.lose('cut');
    expect(view.drafts.cut).toBe('half a wish');
  });

  it('has its files, with words or without, and none once they are gone from the box', () => {
    files.put('bare', [...chips('a', 'b'), new Chip('being read.md')]);
    again('bare');
    expect(there('bare')).toEqual(['a', 'b']);
    expect(JSON.parse(kept['bare'] ?? '')).toMatchObject({ files: [{ id: 'a' }, { id: 'b' }] });
    files.put('bare', []);
    again('bare');
    expect(there('bare')).toEqual([]);
    expect(kept['bare']).toBe('');
  });

  it('is kept as soon as a file of it was read, whatever chat is open by then', async () => {
    takeUp(view, files, {});
    let read: (a: event.Attachment) => void = () => undefined;
    vi.spyOn(api, 'attach').mockReturnValue(new Promise((done) => (read = done)));
    files.addPaths('slow', ['/home/me/a.md']);
    read(file('a'));
    await vi.waitFor(() => expect(there('slow')).toEqual(['a']));
    flush();
    expect(JSON.parse(kept['slow'] ?? '{}')).toMatchObject({ files: [{ id: 'a' }] });
  });

  it('arrives in the order it was typed in, however long the shop takes', async () => {
    const calls: { data: string; done: () => void }[] = [];
    vi.spyOn(api, 'saveDraft').mockImplementation(
      (_, data) => new Promise((done) => calls.push({ data, done })),
    );
    const type = (words: string) => {
      view.drafts.order = words;
      keepDraft(view, files, 'order');
      flush();
    };
    type('half a wish');
    type('a wish');
    type('');
    expect(calls.map((c) => c.data)).toEqual(['{"text":"half a wish"}']);
    calls[0]?.done();
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]?.data).toBe(''); // what was there between has nothing to tell any more
    type('on the way out');
    flush(true);
    expect(calls.map((c) => c.data).at(-1)).toBe('{"text":"on the way out"}');
    calls[1]?.done();
    calls[2]?.done();
    await new Promise((later) => setTimeout(later));
    expect(calls).toHaveLength(3);
  });

  it('has the files of a request that is being changed, and those of what had been typed before', () => {
    view.drafts.both = 'half a wish';
    files.put('both', chips('mine'));
    view.edit('both', 'q1', 'the request');
    files.swap('both', chips('its', 'added'));
    const next = again('both');
    expect(there('both')).toEqual(['its', 'added']);
    expect(files.swapped('both')).toBe(true);
    next.stopEditing('both');
    files.swapBack('both');
    expect(there('both')).toEqual(['mine']);
  });

  it('leaves it to the request which files it had where an older version wrote the draft', () => {
    takeUp(view, files, { older: '{"text":"x","change":{"id":"q1","draft":"half"}}' });
    expect(view.editing.older?.id).toBe('q1');
    expect(files.swapped('older')).toBe(false);
  });
});
