import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';

import { flush, keepDraft, takeUp } from './drafts';
import { View } from './view.svelte';

const trip = { documentId: 'trip', title: 'Trip' };

describe('what is typed and not sent', () => {
  let view: View;
  let kept: Record<string, string>;
  beforeEach(() => {
    view = new View();
    kept = {};
    vi.spyOn(api, 'saveDraft').mockImplementation((chat, data) => {
      kept[chat] = data;
      return Promise.resolve();
    });
  });

  /** What stands in the box after the page went and came again. */
  function again(chat: string): View {
    keepDraft(view, chat);
    flush();
    const next = new View();
    takeUp(next, kept);
    return next;
  }

  it('is there again after a restart', () => {
    view.drafts.plain = 'half a wish';
    view.about.plain = trip;
    const next = again('plain');
    expect(next.drafts.plain).toBe('half a wish');
    expect(next.about.plain).toEqual(trip);
    expect(next.editing.plain).toBeUndefined();
  });

  it('is read as an older version wrote it', () => {
    takeUp(view, { old: '{"text":"half a wish"}', torn: '{"te' });
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
});
