import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api, ApiError, type Rack, type Spec } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

import ToolboxPage from './ToolboxPage.svelte';

const since = '2026-01-01T00:00:00Z';
const rack = (tool: string, ko: string, group?: string): Rack => ({
  tool,
  title: { ko, en: tool },
  group,
  capacity: 1,
  confirm: 'never',
  effect: 'read',
  holders: [],
  blockedBy: [],
  waiting: [],
});
const spec: Spec = {
  key: 'nav',
  title: { ko: '내비게이션', en: 'Navigation' },
  description: { ko: '길을 안내해요.', en: 'Guides you.' },
  doing: { ko: '', en: '' },
  capacity: 1,
  confirm: 'never',
  effect: 'read',
  params: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  result: {},
  examples: [{ text: '부산역까지 길 안내해줘' }],
};

describe('ToolboxPage', () => {
  beforeEach(() => {
    language.current = 'ko';
    view.page = 'toolbox';
    vi.spyOn(api, 'tools').mockResolvedValue([spec]);
    vi.spyOn(api, 'settings').mockResolvedValue([]);
    shop.inventory.racks = [
      rack('nav', '내비게이션', 'MonitorBox'),
      rack('movie', '영화', 'MonitorBox'),
    ];
    shop.inventory.groups = [
      { group: 'MonitorBox', capacity: 1, tools: ['nav', 'movie'], holders: [] },
    ];
    shop.jobs.put({
      id: 'job-1',
      number: 101,
      title: '부산역까지 길 안내',
      chat: 'main',
      state: 'running',
      todos: [],
      created: since,
    });
  });

  const racks = (): Record<string, string> =>
    Object.fromEntries(
      screen.getAllByTestId('rack').map((r) => [r.dataset['tool'], r.dataset['state']]),
    ) as Record<string, string>;

  it('leaves an outline with the ticket of the job, and locks the rest of the group', async () => {
    render(ToolboxPage);
    expect(racks()).toEqual({ nav: 'free', movie: 'free' });
    const data = { tool: 'nav', group: 'MonitorBox', leaseId: 'l-1', jobId: 'job-1' };
    shop.inventory.apply({ seq: 1, time: since, kind: 'tool.acquired', data });
    await tick();
    expect(racks()).toEqual({ nav: 'out', movie: 'locked' });
    const [nav, movie] = screen.getAllByTestId('rack');
    expect(nav?.textContent).toContain('No. 101');
    expect(movie?.textContent).toContain('No. 101 일이 내비게이션에 모니터를 쓰고 있어요.');
  });

  it('puts an example into the message box of the chat', async () => {
    render(ToolboxPage);
    await fireEvent.click(screen.getByRole('button', { name: '내비게이션' }));
    await fireEvent.click(await screen.findByRole('button', { name: '부산역까지 길 안내해줘' }));
    expect(view.page).toBe('chat');
    expect(view.drafts[shop.chats.currentId]).toBe('부산역까지 길 안내해줘');
  });

  it('changes a rule at once and says why when it cannot', async () => {
    const set = vi.spyOn(api, 'setSettings').mockResolvedValue();
    render(ToolboxPage);
    await fireEvent.click(screen.getByRole('button', { name: '내비게이션' }));
    const drawer = await screen.findByTestId('tool-drawer');
    await fireEvent.click(within(drawer).getByRole('radio', { name: '매번' }));
    expect(set).toHaveBeenCalledWith({ 'tools.nav.confirm': 'always' });

    set.mockRejectedValueOnce(new ApiError('invalid_setting', '0부터 1000까지 넣어 주세요.'));
    await fireEvent.input(within(drawer).getByLabelText('개수'), { target: { value: '5000' } });
    await fireEvent.submit(within(drawer).getByLabelText('개수').closest('form')!);
    await waitFor(() =>
      expect(within(drawer).getByRole('alert').textContent).toContain('0부터 1000까지'),
    );
    expect(set).toHaveBeenLastCalledWith({ 'tools.nav.capacity': 5000 });
  });
});
