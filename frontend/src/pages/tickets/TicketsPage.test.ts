import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { ApiError } from '$lib/api/error';
import type { Ticket, TicketFilter } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { toasts } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';

import { snapshot, standingOrder, ticket } from '../../test/shapes';
import TicketsPage from './TicketsPage.svelte';

describe('TicketsPage', () => {
  let asked: TicketFilter[];

  async function open(jobs: Ticket[], total = jobs.length) {
    vi.spyOn(api, 'tickets').mockImplementation((filter, cursor, limit) => {
      asked.push(filter);
      const rest = jobs.filter((t) => !cursor || t.number < cursor);
      return Promise.resolve({ tickets: rest.slice(0, limit), total });
    });
    render(TicketsPage);
    await waitFor(() => expect(shop.tickets.ready).toBe(true));
    await screen.findByTestId('tickets-total');
  }
  const rows = () => screen.queryAllByTestId('ticket-row');
  const choose = (name: string, value: string) =>
    fireEvent.change(screen.getByRole('combobox', { name }), { target: { value } });

  beforeEach(() => {
    vi.restoreAllMocks();
    language.current = 'ko';
    asked = [];
    Object.assign(shop.tickets, { rows: [], filter: {}, ready: false, error: undefined });
    view.go('tickets');
    view.closeJob();
    view.seek = undefined;
    shop.chats.load(snapshot());
    shop.standing.view = undefined;
    vi.spyOn(api, 'standingOrders').mockResolvedValue([standingOrder('o1')]);
    vi.spyOn(api, 'tools').mockResolvedValue([]);
    vi.spyOn(api, 'permissions').mockResolvedValue({
      grants: [],
      rules: [],
      mode: 'my_rules',
      denied: [],
    });
  });

  it('draws a screenful of many, and says how many there are', async () => {
    await open(
      Array.from({ length: 100 }, (_, i) => ticket(20_000 - i)),
      20_000,
    );
    expect(screen.getByTestId('tickets-total').textContent).toBe('20,000개');
    expect(rows().length).toBeGreaterThan(3);
    expect(rows().length).toBeLessThan(40);
    expect(rows()[0]?.getAttribute('aria-setsize')).toBe('20000');
  });

  it('opens a job where it stands in its chat', async () => {
    await open([ticket(7)]);
    await fireEvent.click(screen.getByRole('button', { name: '7번 일 열기: Job 7' }));
    expect([view.page, view.seek, view.jobId]).toEqual(['chat', 'm7', 'j7']);
  });

  it('narrows by everything, and clears it again', async () => {
    await open([ticket(1)]);
    await choose('상태', 'failed');
    await choose('날짜', 'today');
    await choose('대화', 'main');
    await choose('정기 주문', 'o1');
    await fireEvent.input(screen.getByRole('searchbox'), { target: { value: '날씨' } });
    await waitFor(() => expect(asked.at(-1)?.words).toBe('날씨'));
    expect(asked.at(-1)).toMatchObject({ state: 'failed', chat: 'main', standing: 'o1' });
    expect(asked.at(-1)?.from).toBe(asked.at(-1)?.to);
    await choose('날짜', 'chosen');
    const from = screen.getByLabelText('이날부터');
    await fireEvent.change(from, { target: { value: '2026-01-02' } });
    expect(asked.at(-1)?.from).toBe('2026-01-02');
    await fireEvent.click(screen.getByRole('button', { name: '조건 지우기' }));
    expect(asked.at(-1)).toEqual({});
  });

  it('comes narrowed from elsewhere, even to an order that is gone', async () => {
    view.showTickets({ standing: 'gone' });
    await open([]);
    expect(asked).toEqual([{ standing: 'gone' }]);
    expect(screen.getByText('조건에 맞는 일이 없어요.')).toBeTruthy();
    const orders = await screen.findByRole<HTMLSelectElement>('combobox', { name: '정기 주문' });
    expect(orders.selectedOptions[0]?.textContent).toBe('지워진 정기 주문');
  });

  it('does a job again only when that is sure, where it did something outside', async () => {
    const message = { id: 'm', role: 'customer', text: 'x', time: '' } as const;
    const again = vi
      .spyOn(api, 'sayAgain')
      .mockResolvedValueOnce({ did: ['파일 쓰기: 회의.txt'] })
      .mockResolvedValue({ message });
    const show = vi.spyOn(toasts, 'show');
    await open([ticket(1, { ended: '2026-01-02T03:04:06Z' }), ticket(0, { state: 'running' })]);
    expect(screen.getAllByRole('button', { name: /^다시 하기/ })).toHaveLength(1);
    await fireEvent.click(screen.getByRole('button', { name: '다시 하기: Job 1' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('파일 쓰기: 회의.txt');
    expect(show).not.toHaveBeenCalled();
    await fireEvent.click(within(dialog).getByTestId('repeat-job'));
    await waitFor(() => expect(show).toHaveBeenCalled());
    expect(again.mock.calls).toEqual([
      ['j1', false],
      ['j1', true],
    ]);
  });

  it('says of a job out of a file where it is from, and offers no second time', async () => {
    const ended = '2026-01-02T03:04:06Z';
    await open([ticket(2, { ended, imported: true }), ticket(1, { ended })]);
    const [theirs, mine] = rows();
    expect(theirs?.textContent).toContain('가져온 파일의 기록');
    expect(mine?.textContent).not.toContain('가져온 파일의 기록');
    expect(screen.getAllByRole('button', { name: /^다시 하기/ })).toHaveLength(1);
  });

  it('counts in words in both languages', async () => {
    language.current = 'en';
    await open([ticket(1)], 1);
    expect(screen.getByTestId('tickets-total').textContent).toBe('1 job');
  });

  it('saves what is narrowed to', async () => {
    const save = vi.spyOn(api, 'exportTickets').mockResolvedValue('/tmp/jobs.csv');
    const show = vi.spyOn(toasts, 'show');
    await open([ticket(1)]);
    await choose('상태', 'failed');
    await fireEvent.click(screen.getByRole('button', { name: '표로 내보내기 (CSV)' }));
    await waitFor(() => expect(show).toHaveBeenCalled());
    expect(save).toHaveBeenCalledWith({ state: 'failed' }, '', 'csv', expect.any(String));
  });

  it('teaches what comes here, and says what went wrong', async () => {
    await open([]);
    expect(screen.getByText('아직 맡긴 일이 없어요')).toBeTruthy();
    vi.spyOn(api, 'tickets').mockRejectedValue(new ApiError('storage_failed', '읽지 못해요'));
    await shop.tickets.load();
    expect((await screen.findByText('읽지 못해요')).textContent).toBeTruthy();
  });
});
