import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { AskOpened, SheetView } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

import AwayNotice from '../../frame/AwayNotice.svelte';
import { GUARD_MS } from '../../ask/guard.svelte';
import { askOpened, sheetLine, sheetView, snapshot, standingOrder } from '../../test/shapes';
import SheetPage from './SheetPage.svelte';

const approval = (id: string, more: Partial<AskOpened> = {}) =>
  askOpened(id, {
    kind: 'approval',
    question: `${id}?`,
    choices: ['approve', 'edit', 'reject'],
    tool: 'file_write',
    digest: `digest-${id}`,
    preview: { text: '', diff: `@@ -1 +1,2 @@\n a\n+${id}\n` },
    ...more,
  });

describe('SheetPage', () => {
  async function open(sheet: Partial<SheetView>, ...asks: AskOpened[]) {
    const shown = sheetView({ asks, ...sheet });
    vi.spyOn(api, 'sheet').mockResolvedValue(shown);
    shop.asks.load(snapshot({ asks }));
    render(SheetPage);
    await waitFor(() => expect(shop.sheet.view).toBe(shown));
  }
  const waited = () => vi.advanceTimersByTimeAsync(GUARD_MS);
  const bar = () => screen.queryByTestId('approve-picked');
  const opened = (ask: AskOpened) =>
    shop.asks.apply({
      seq: 1,
      time: '2026-01-09T00:00:00Z',
      kind: 'ask.opened',
      data: ask,
    });

  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    vi.restoreAllMocks();
    language.current = 'ko';
    view.go('sheet');
    shop.sheet.view = undefined;
    shop.asks.byId.clear();
    shop.chats.load(snapshot());
    vi.spyOn(api, 'lookedAtSheet').mockResolvedValue(undefined);
  });

  it('says when nothing happened', async () => {
    await open({});
    expect(await screen.findByText('그동안 별일 없었어요')).toBeTruthy();
    expect(api.lookedAtSheet).not.toHaveBeenCalled();
  });

  it('tells of reminders that nobody heard, and when they were told instead', async () => {
    await open({
      told: [
        sheetLine('병원 가기', {
          due: '2026-01-08T15:00:00Z',
          at: '2026-01-09T08:00:00Z',
          chat: 'main',
        }),
      ],
    });
    const section = await screen.findByTestId('sheet-told');
    expect(section.textContent).toMatch(/그동안의 알림.*병원 가기/s);
    expect(section.textContent).toMatch(/그때 꺼져 있어서 .*에 알려 드렸어요/);
    expect(screen.queryByText('그동안 별일 없었어요')).toBeNull();
  });

  it('is looked at again when the shop learns only then that somebody is there', async () => {
    await open({ fresh: true });
    await waitFor(() => expect(api.lookedAtSheet).toHaveBeenCalledTimes(1));
    vi.spyOn(api, 'sheet').mockResolvedValue(
      sheetView({ fresh: true, until: '2026-01-09T08:00:00Z' }),
    );
    await shop.sheet.load();
    await waitFor(() => expect(api.lookedAtSheet).toHaveBeenCalledTimes(2));
    await shop.sheet.load(); // and never without end
    await vi.advanceTimersByTimeAsync(0);
    expect(api.lookedAtSheet).toHaveBeenCalledTimes(2);
  });

  it('is looked at as soon as it is there', async () => {
    await open({ fresh: true });
    await waitFor(() => expect(api.lookedAtSheet).toHaveBeenCalledTimes(1));
  });

  it('approves those still ticked, each as it was shown, and tells in place which could not be', async () => {
    const approve = vi
      .spyOn(api, 'approve')
      .mockResolvedValue([
        { ask: 'a' },
        { ask: 'c', error: { code: 'digest_mismatch', message: '그사이 바뀌었어요.' } },
      ]);
    const money = approval('money');
    await open({ together: ['a', 'b', 'c'] }, approval('a'), approval('b'), approval('c'), money);
    const rows = await screen.findAllByTestId('sheet-question');
    expect(rows).toHaveLength(4);
    expect(within(rows[0]!).getByTestId('diff').textContent).toContain('a');
    expect(within(rows[3]!).queryByTestId('pick')).toBeNull(); // money has its own card and no tick
    expect(bar()?.textContent).toContain('고른 3개 승인');
    expect((bar() as HTMLButtonElement).disabled).toBe(true); // nobody has read it yet
    await fireEvent.click(within(rows[1]!).getByTestId('pick'));
    await waited();
    await fireEvent.click(bar()!);
    expect(approve).toHaveBeenCalledWith([
      { ask: 'a', choice: 'approve', digest: 'digest-a' },
      { ask: 'c', choice: 'approve', digest: 'digest-c' },
    ]);
    expect((await within(rows[2]!).findByRole('alert')).textContent).toContain(
      '그사이 바뀌었어요.',
    );
    expect(within(rows[0]!).queryByRole('alert')).toBeNull();
  });

  it('ticks nothing that came or changed while somebody reads, nor what rests on a strange word', async () => {
    const strange = approval('s', {
      origins: [{ arg: 'text', text: 'from a page', trusted: false } as never],
    });
    await open({ together: ['a', 'b', 'c', 's'] }, approval('a'), approval('b'), strange);
    await waited();
    expect(bar()?.textContent).toContain('고른 2개 승인');
    opened(approval('c'));
    opened(approval('b', { digest: 'another' }));
    await waitFor(() => expect(bar()?.textContent).toContain('고른 1개 승인'));
    expect((bar() as HTMLButtonElement).disabled).toBe(true);
  });

  it('one question alone has only its own buttons', async () => {
    await open({ together: ['a'] }, approval('a'));
    await screen.findByTestId('sheet-question');
    expect(bar()).toBeNull();
    expect(screen.queryByTestId('pick')).toBeNull();
  });

  it('tells what failed with what to do, what was missed with what the rule did, and what is done', async () => {
    const act = vi.spyOn(api, 'doStanding').mockResolvedValue(standingOrder('o'));
    await open({
      failed: [sheetLine('읽기', { order: 'f', code: 'no_folder', text: '폴더를 열어 주세요.' })],
      missed: [
        sheetLine('날씨', { order: 'o', outcome: 'missed', passed: 2 }),
        sheetLine('메모', { order: 'p', outcome: 'busy' }),
        sheetLine('계산', { order: 'q', outcome: 'run', passed: 3 }),
      ],
      done: [sheetLine('계산', { order: 'q', due: '2026-01-04T22:00:00Z', text: '**7**이에요.' })],
    });
    const lines = await screen.findAllByTestId('sheet-line');
    expect(lines.map((l) => l.dataset['kind'])).toEqual([
      'failed',
      'missed',
      'missed',
      'missed',
      'done',
    ]);
    expect(lines[1]?.textContent).toContain('2번 지나갔어요. 정한 대로 알리기만 해요.');
    expect(lines[2]?.textContent).toContain('앞선 일이 아직 끝나지 않아서');
    expect(lines[3]?.textContent).toContain('그 앞의 3번은 지나갔고');
    expect(within(lines[3]!).queryByRole('button', { name: /^지금 하기/ })).toBeNull();
    expect(lines[4]?.textContent).toContain('7이에요.');
    expect(lines[4]?.textContent).toContain('그때 하지 못해서');
    await fireEvent.click(screen.getByRole('button', { name: '지금 하기: 날씨' }));
    await fireEvent.click(screen.getByRole('button', { name: '다시 하기: 읽기' }));
    expect(act.mock.calls).toEqual([
      ['o', 'now'],
      ['f', 'now'],
    ]);
    await fireEvent.click(screen.getByRole('button', { name: '정기 주문 보기: 메모' }));
    expect([view.page, view.target]).toEqual(['standing', { page: 'standing', id: 'p' }]);
  });

  it('its head opens by itself only while something is fresh, and is put away', async () => {
    view.go('chat');
    shop.sheet.view = sheetView({ missed: [sheetLine('날씨')] });
    render(AwayNotice);
    expect(screen.queryByTestId('away')).toBeNull();
    shop.sheet.view = sheetView({ fresh: true, missed: [sheetLine('날씨')] });
    const head = await screen.findByTestId('away');
    expect(head.textContent).toContain('놓친 정기 주문 1개');
    expect(head.textContent).toContain('날씨');
    vi.spyOn(api, 'sheet').mockResolvedValue(sheetView());
    await fireEvent.click(within(head).getByRole('button', { name: '이 알림 닫기' }));
    expect(api.lookedAtSheet).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(screen.queryByTestId('away')).toBeNull());
    shop.sheet.view = sheetView({ fresh: true, missed: [sheetLine('날씨')] });
    await fireEvent.click(await screen.findByTestId('open-sheet'));
    expect(view.page).toBe('sheet');
    expect(screen.queryByTestId('away')).toBeNull();
  });
});
