import type { BankLine, BankView, MemoryView, ServiceInfo } from '../lib/api/types';

const today = () => new Date().toISOString();

/** What the bank of the pretend shop shows. */
export const bank = (): BankView => ({
  accounts: [{ id: 'own', title: '연습 계좌', balance: 940_000 }],
  limits: { perTransfer: 1_000_000, perDay: 5_000_000, leftToday: 4_940_000 },
  statement: [
    line('l3', '용걸이', 50_000, 'out', 940_000, '생일 축하'),
    line('l2', '엄마', 10_000, 'out', 990_000),
    line('l1', '은행 밖', 1_000_000, 'in', 1_000_000, '개설'),
  ],
  scheduled: [
    {
      id: 's1',
      date: '2030-12-24',
      target: '엄마',
      amount: 20_000,
      memo: '용돈',
      state: 'scheduled',
      chat: 'main',
      jobId: '',
    },
  ],
  payees: [
    {
      id: 'p1',
      name: '엄마',
      aliases: ['Mom'],
      bank: '연습은행',
      number: '100-2345-6701',
      favourite: true,
    },
  ],
});

const line = (
  id: string,
  target: string,
  amount: number,
  direction: BankLine['direction'],
  balanceAfter: number,
  memo = '',
) => ({
  id,
  at: today(),
  target,
  amount,
  direction,
  memo,
  balanceAfter,
  state: 'done' as const,
  chat: 'main',
  jobId: '',
});

/** What the pretend shop remembers. */
export const memory = (chat: string): MemoryView => ({
  chat,
  summary: '손님은 엄마와 용걸이에게 돈을 보냈고, 노래를 두 곡 들었어요.',
  summaryAt: today(),
  turnsSummarised: 9,
  turnsRaw: 2,
  recent: [
    { speaker: 'customer', text: '총 얼마 보냈어?' },
    {
      speaker: 'shop',
      text: '이번에 총 6만원을 보내셨어요. 엄마에게 1만원, 용걸이에게 5만원이었어요.',
    },
  ],
  facts: [{ id: 'f1', text: '나는 땅콩을 못 먹어', source: 'customer', date: today() }],
  budget: {
    numCtx: 8192,
    reserve: 1024,
    estimated: 4100,
    system: 3000,
    memory: 300,
    transcript: 800,
    room: 3068,
    calibrated: true,
    server: 4085,
  },
});

/** The counters of the pretend shop, one of them with a manifest that is no good. */
export const services = (): ServiceInfo[] => [
  {
    id: 'transfer',
    title: '이체',
    intent: 'TRANSFER',
    slots: [
      { name: 'target', title: '받는 분', type: 'name', required: true },
      { name: 'memo', title: '메모', type: 'text', required: false },
    ],
    examples: ['엄마한테 1만원 보내줘', '엄마한테 만원, 용걸이한테 5만원 보내줘'],
    source: 'builtin',
  },
  {
    id: 'parking',
    title: 'parking',
    intent: '',
    slots: [],
    examples: [],
    source: 'user',
    file: 'parking.yaml',
    line: 12,
    error: '‘requird’는 모르는 이름이에요. ‘required’라고 적어 주세요.',
  },
];
