import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { ApiError } from '$lib/api/error';
import type { StandingOrder } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { toasts } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';

import { jobView, snapshot, standingOrder } from '../../test/shapes';
import StandingPage from './StandingPage.svelte';

describe('StandingPage', () => {
  async function open(...orders: StandingOrder[]) {
    vi.spyOn(api, 'standingOrders').mockResolvedValue(orders);
    render(StandingPage);
    await waitFor(() => expect(shop.standing.view).toBe(orders));
    return screen.queryAllByTestId('standing-order');
  }
  const press = (name: string | RegExp, within_?: HTMLElement) =>
    fireEvent.click((within_ ? within(within_) : screen).getByRole('button', { name }));

  beforeEach(() => {
    language.current = 'ko';
    view.go('standing');
    view.closeJob();
    vi.restoreAllMocks();
    shop.standing.view = undefined;
    const loaded = snapshot({ jobs: [jobView('j', 12)] });
    shop.chats.load(loaded);
    shop.jobs.load(loaded);
  });

  it('says an example at once where there is no order yet', async () => {
    const say = vi
      .spyOn(api, 'say')
      .mockResolvedValue({ id: '', role: 'customer', text: '', time: '' });
    await open();
    await press('매일 아침 8시에 서울 날씨 알려줘');
    expect(say).toHaveBeenCalledWith(
      'main',
      '매일 아침 8시에 서울 날씨 알려줘',
      '',
      expect.anything(),
    );
    expect(view.page).toBe('chat');
  });

  it('shows what is done, when, the next moments, and what became of the last, with the way to its ticket', async () => {
    const [order] = await open(
      standingOrder('a', {
        runs: [
          {
            due: '2026-01-05T01:00:00Z',
            outcome: 'run',
            state: 'waiting',
            turn: 'm',
            text: '**오늘** 맑아요',
            jobs: ['j', 'gone'],
          },
          { due: '2026-01-04T01:00:00Z', outcome: 'missed', missed: 2, jobs: [] },
          { due: '2026-01-04T01:00:00Z', outcome: 'missed', missed: 2, jobs: [] },
        ],
      }),
    );
    expect(order!.querySelector('h2')?.textContent).toContain('서울 날씨 알려줘');
    expect([...order!.querySelectorAll('dt')].map((d) => d.textContent)).toEqual([
      '때',
      '다음',
      '지난번',
    ]);
    expect(order!.textContent).toContain('매일 오전 8시');
    const [last, ...history] = within(order!).getAllByTestId('standing-run');
    expect(last?.textContent).toContain('확인 필요');
    expect(last?.textContent).toContain('오늘 맑아요');
    expect(history.map((r) => r.dataset['outcome'])).toEqual(['missed', 'missed']);
    expect(history[0]?.textContent).toContain('2번 지나갔어요.');

    await press('No. 12', last);
    expect(view.jobId).toBe('j');
    await press('대화에서 보기', last);
    expect([view.page, view.seek]).toEqual(['chat', 'm']);
  });

  it.each([
    ['active', ['now', 'skip', 'pause']],
    ['paused', ['now', 'resume']],
    ['ended', ['now']],
  ] as const)('offers what can be done with one that is %s', async (state, verbs) => {
    const act = vi.spyOn(api, 'doStanding').mockResolvedValue(standingOrder('a'));
    const [order] = await open(standingOrder('a', { state, upcoming: [] }));
    const names = { now: /^지금 하기/, skip: /^이번만/, pause: /^멈추기/, resume: /^다시 시작/ };
    for (const [verb, name] of Object.entries(names)) {
      const buttons = within(order!).queryAllByRole('button', { name });
      expect(buttons).toHaveLength((verbs as readonly string[]).includes(verb) ? 1 : 0);
      if (buttons[0]) await fireEvent.click(buttons[0]);
    }
    expect(act.mock.calls).toEqual(verbs.map((verb) => ['a', verb]));
  });

  it('says what one waits for that waits for no moment, what set it off, and why it cannot', async () => {
    const [file, closed, resting] = await open(
      standingOrder('a', {
        when: '‘다운로드’ 폴더에 파일이 올 때마다',
        on: 'file',
        upcoming: [],
        runs: [
          {
            due: '2026-01-05T01:00:00Z',
            outcome: 'run',
            state: 'done',
            because: '다운로드/<b>a.pdf',
            jobs: [],
          },
        ],
      }),
      standingOrder('b', { on: 'file', upcoming: [], problem: '열린 폴더가 아니에요' }),
      standingOrder('c', { on: 'ticket', upcoming: [], resting: '2026-01-05T01:10:00Z' }),
    );
    expect(file!.textContent).toContain('기다리고 있어요.');
    expect(file!.textContent).toContain('다운로드/<b>a.pdf');
    expect(closed!.textContent).toContain('열린 폴더가 아니에요');
    expect(resting!.textContent).toContain('까지 쉬고 있어요.');
  });

  it('deletes only after asking', async () => {
    const act = vi.spyOn(api, 'removeStanding').mockResolvedValue('use');
    await open(standingOrder('a'), standingOrder('b', { what: '메모 목록 보여줘' }));
    await press(/^지우기: 메모/);
    expect((await screen.findByRole('dialog')).textContent).toContain('메모 목록 보여줘');
    await press('그대로 두기');
    expect(act).not.toHaveBeenCalled();
    await press(/^지우기: 메모/);
    await fireEvent.click(await screen.findByTestId('remove-order'));
    expect(act.mock.calls).toEqual([['b']]);
    const back = vi.spyOn(api, 'takeBack').mockResolvedValue(undefined);
    await vi.waitFor(() => expect(toasts.list.at(-1)?.action).toBeDefined());
    toasts.list.at(-1)?.action?.run();
    expect(back.mock.calls).toEqual([['use']]);
  });

  it('changes the time by words, and says beside them what was not understood', async () => {
    const change = vi
      .spyOn(api, 'changeStanding')
      .mockRejectedValueOnce(new ApiError('invalid_args', '입력값이 맞지 않아요'))
      .mockResolvedValue(standingOrder('a'));
    await open(standingOrder('a'));
    await press(/^때 바꾸기/);
    const form = screen.getByTestId('change-time');
    await fireEvent.input(within(form).getByLabelText('새로운 때'), {
      target: { value: ' 아무 때 ' },
    });
    await press('바꾸기', form);
    expect((await within(form).findByRole('alert')).textContent).toBe('입력값이 맞지 않아요');
    await fireEvent.click(within(form).getByRole('radio', { name: '알리기만' }));
    await fireEvent.input(within(form).getByLabelText('새로운 때'), {
      target: { value: '평일 7시' },
    });
    await press('바꾸기', form);
    await waitFor(() => expect(screen.queryByTestId('change-time')).toBeNull());
    expect(change.mock.calls).toEqual([
      ['a', '아무 때', ''],
      ['a', '', 'tell'],
      ['a', '평일 7시', ''],
    ]);
  });
});
