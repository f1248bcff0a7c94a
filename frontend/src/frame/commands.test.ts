import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { PageCommand } from '$lib/api/types';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

import { door, runPageCommand } from './commands.svelte';

const command = (is: Partial<PageCommand> & Pick<PageCommand, 'kind'>): PageCommand => ({
  leaving: { jobs: 0, asks: 0, orders: 0 },
  ...is,
});

describe('what the page is to do that did not begin in it', () => {
  beforeEach(() => {
    view.go('settings');
    view.closeJob();
    view.drafts = {};
    door.asked = undefined;
  });

  it('leads to a ticket in its chat, and to its question with the focus', () => {
    runPageCommand(command({ kind: 'open', chat: 'c2', job: 'j1' }));
    expect([view.page, shop.chats.currentId, view.jobId, view.calling]).toEqual([
      'chat',
      'c2',
      'j1',
      false,
    ]);
    runPageCommand(command({ kind: 'open', chat: 'c2', job: 'j2', ask: 'a' }));
    expect([view.jobId, view.calling]).toEqual(['j2', true]);
  });

  it('puts words behind what was typed and sends nothing', () => {
    const say = vi.spyOn(api, 'say').mockResolvedValue(undefined as never);
    shop.chats.currentId = 'main';
    view.drafts['main'] = 'typed';
    runPageCommand(command({ kind: 'given', text: 'given' }));
    expect(view.page).toBe('chat');
    expect(view.drafts['main']).toBe('typed\ngiven');
    expect(say).not.toHaveBeenCalled();
  });

  it('has files put into the library as if they were dropped', () => {
    const bring = vi.spyOn(shop.library, 'bring').mockResolvedValue(undefined as never);
    runPageCommand(command({ kind: 'given', files: ['/a b.pdf'] }));
    expect(bring).toHaveBeenCalledWith(['/a b.pdf']);
  });

  it('asks what closing means, and before the end', () => {
    runPageCommand(command({ kind: 'quit', leaving: { jobs: 1, asks: 2, orders: 3 } }));
    expect(door.asked?.leaving.asks).toBe(2);
  });
});
