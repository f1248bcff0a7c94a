// Pretend standing orders: one that went well, one that is paused with a question open, one that is over. None in an empty shop.
import type { MissedRule, StandingDeed, StandingOrder, StandingRun } from '../lib/api/types';

import type { Stage } from './stage';

const DAY = 86_400_000;

/** A moment so many days from now, at an hour. */
const at = (days: number, hour: number) =>
  new Date(new Date().setHours(hour, 0, 0, 0) + days * DAY).toISOString();

const run = (days: number, hour: number, more: Partial<StandingRun> = {}): StandingRun => ({
  due: at(days, hour),
  outcome: 'run',
  jobs: [],
  ...more,
});

const upcoming = (hour: number) => [1, 2, 3].map((days) => at(days, hour));

/** In Korean or English, as the shop would have it. */
const made = (ko: boolean): StandingOrder[] => [
  {
    id: 'o1',
    chat: 'main',
    what: ko ? '서울 날씨 알려줘' : 'Tell me the weather in Seoul',
    when: ko ? '매일 오전 8시' : 'every day at 8:00 AM',
    rule: 'FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0',
    state: 'active',
    missed: 'once',
    next: at(1, 8),
    upcoming: upcoming(8),
    runs: [
      run(0, 8, {
        state: 'done',
        turn: 'm-1',
        text: ko ? '서울은 12℃, 맑아요.' : 'Seoul: 12℃, clear.',
      }),
      run(-1, 8, { outcome: 'skipped' }),
      run(-2, 8, {
        state: 'failed',
        missed: 2,
        text: ko ? '날씨를 알아보지 못했어요.' : 'The weather is unknown.',
      }),
      run(-5, 8, { outcome: 'busy' }),
    ],
  },
  {
    id: 'o2',
    chat: 'main',
    what: ko ? '용걸이한테 5만원 보내줘' : 'Send Yonggeol 50,000 won',
    when: ko ? '매달 25일 오전 9시' : 'every month on the 25th at 9:00 AM',
    rule: 'FREQ=MONTHLY;BYMONTHDAY=25;BYHOUR=9;BYMINUTE=0;BYSECOND=0',
    state: 'paused',
    missed: 'tell',
    upcoming: [],
    runs: [
      run(-3, 9, { state: 'waiting', turn: 'm-1' }),
      run(-33, 9, { outcome: 'missed', missed: 3 }),
    ],
  },
  {
    id: 'o3',
    chat: 'main',
    what: ko ? '메모 목록 보여줘' : 'Show my notes',
    when: ko ? '두 시간마다, 3번' : 'every 2 hours, 3 times in all',
    rule: 'FREQ=HOURLY;INTERVAL=2;COUNT=3',
    state: 'ended',
    missed: 'once',
    upcoming: [],
    runs: [],
  },
];

export class StandingOrders {
  #orders: StandingOrder[] | undefined;

  constructor(
    private stage: Stage,
    private lang: () => string,
  ) {}

  list(): StandingOrder[] {
    // An empty shop has said nothing yet.
    return [...this.stage.chats.values()].some((c) => c.messages.length) ? this.#all() : [];
  }

  #all(): StandingOrder[] {
    return (this.#orders ??= made(this.lang() === 'ko'));
  }

  do(id: string, verb: StandingDeed): StandingOrder {
    const order = this.#find(id);
    const acts: Partial<Record<StandingDeed, () => void>> = {
      pause: () => Object.assign(order, { state: 'paused', next: '', upcoming: [] }),
      resume: () =>
        Object.assign(order, { state: 'active', next: at(1, 8), upcoming: upcoming(8) }),
      now: () =>
        order.runs.unshift({ ...run(0, 8), due: new Date().toISOString(), state: 'running' }),
      skip: () => {
        order.runs.unshift({ ...run(0, 8), due: order.upcoming.shift() ?? '', outcome: 'skipped' });
        order.next = order.upcoming[0] ?? '';
      },
      delete: () => (this.#orders = this.#all().filter((o) => o.id !== id)),
    };
    acts[verb]?.();
    return this.#changed(order);
  }

  change(id: string, when: string, missed: MissedRule | ''): StandingOrder {
    const order = this.#find(id);
    if (missed) order.missed = missed;
    if (when && !/\d/.test(when))
      throw {
        code: 'invalid_args',
        message: `입력값이 맞지 않아요: ${when}. 값을 고쳐 다시 보내 주세요.`,
      };
    if (when)
      Object.assign(order, { when, state: 'active', next: at(1, 7), upcoming: upcoming(7) });
    return this.#changed(order);
  }

  #find(id: string): StandingOrder {
    const order = this.#all().find((o) => o.id === id);
    if (!order) throw { code: 'not_found', message: '찾을 수 없어요.' };
    return order;
  }

  #changed(order: StandingOrder): StandingOrder {
    this.stage.emit('standing.changed', { id: order.id });
    return structuredClone(order);
  }
}
