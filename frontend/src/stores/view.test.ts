import { beforeEach, describe, expect, it } from 'vitest';

import { View } from './view.svelte';

describe('changing an earlier request', () => {
  let view: View;
  beforeEach(() => {
    view = new View();
  });

  it('puts its words into the box, and what was typed there comes back', () => {
    view.drafts.trip = 'half a wish';
    view.edit('trip', 'q1', 'the request');
    expect(view.drafts.trip).toBe('the request');
    expect(view.editing.trip?.id).toBe('q1');
    expect(view.stopEditing('trip')).toBe(true);
    expect(view.drafts.trip).toBe('half a wish');
    expect(view.editing.trip).toBeUndefined();
  });

  it('keeps what was typed first when another request is changed instead', () => {
    view.drafts.trip = 'half a wish';
    view.edit('trip', 'q1', 'the first');
    view.edit('trip', 'q2', 'the second');
    expect(view.drafts.trip).toBe('the second');
    view.stopEditing('trip');
    expect(view.drafts.trip).toBe('half a wish');
  });

  it('asks the document that the request asked, and then again the one of before', () => {
    const [house, work] = ['house', 'work'].map((documentId) => ({
      documentId,
      title: documentId,
    }));
    view.about.trip = house;
    view.edit('trip', 'q1', 'the first', work);
    expect(view.about.trip).toEqual(work);
    view.edit('trip', 'q2', 'the second');
    expect(view.about.trip).toBeUndefined();
    view.stopEditing('trip');
    expect(view.about.trip).toEqual(house);
  });

  it('leaves an empty box where nothing was typed', () => {
    view.edit('trip', 'q1', 'the request');
    view.stopEditing('trip');
    expect(view.drafts.trip).toBe('');
  });

  it('belongs to its chat', () => {
    view.drafts.main = 'something else';
    view.edit('trip', 'q1', 'the request');
    expect(view.editing.main).toBeUndefined();
    expect(view.stopEditing('main')).toBe(false);
    expect(view.drafts.main).toBe('something else');
    expect(view.editing.trip?.id).toBe('q1');
  });

  it('ends once', () => {
    view.edit('trip', 'q1', 'the request');
    expect(view.stopEditing('trip')).toBe(true);
    view.drafts.trip = 'typed since';
    expect(view.stopEditing('trip')).toBe(false);
    expect(view.drafts.trip).toBe('typed since');
  });
});
