// What tests are made of: each shape whole, with what a test cares about put in.
import type {
  AskOpened,
  InstalledModel,
  JobView,
  LetterRow,
  ListedServer,
  ModelsView,
  ReadingRow,
  SheetLine,
  SheetView,
  Snapshot,
  StandingOrder,
  Ticket,
  Trouble,
} from '$lib/api/types';

export function snapshot(more: Partial<Snapshot> = {}): Snapshot {
  return {
    seq: 0,
    chats: [{ id: 'main', title: '', updated: '', messages: [] }],
    workers: [],
    jobs: [],
    asks: [],
    inventory: [],
    groups: [],
    provider: { provider: 'builtin', model: '', health: 'ok' },
    media: [],
    service: [],
    shelves: [],
    projects: [],
    drafts: {},
    version: 'test',
    ...more,
  };
}

export function jobView(id: string, number: number, more: Partial<JobView> = {}): JobView {
  return {
    id,
    number,
    title: `Job ${id}`,
    chat: 'main',
    state: 'queued',
    todos: [],
    created: '2026-01-02T03:04:05Z',
    ...more,
  };
}

export function askOpened(id: string, more: Partial<AskOpened> = {}): AskOpened {
  return { id, kind: 'lock', question: 'What now?', choices: ['wait', 'cancel'], ...more };
}

export function trouble(more: Partial<Trouble> = {}): Trouble {
  return {
    provider: 'ollama',
    model: '',
    health: 'ok',
    reason: '',
    detail: '',
    host: 'http://127.0.0.1:11434',
    local: true,
    action: 'none',
    ...more,
  };
}

export function modelsView(more: Partial<ModelsView> = {}): ModelsView {
  return {
    trouble: trouble(),
    openai: trouble({ provider: 'openai', health: 'off', host: '' }),
    engine: { state: 'absent', version: '', addr: '', memory: 0, restarts: 0, again: 0, why: '' },
    onDuty: { provider: 'builtin', model: '', health: 'ok' },
    servers: [],
    installed: [],
    recommended: [],
    pulls: [],
    roles: [],
    ram: { total: 16 * 2 ** 30, available: 8 * 2 ** 30 },
    keySet: false,
    keyPlace: '',
    ...more,
  };
}

export function installed(name: string, more: Partial<InstalledModel> = {}): InstalledModel {
  return {
    name,
    bytes: 2.6e9,
    memory: 3.4 * 2 ** 30,
    fits: true,
    loaded: false,
    loadedBytes: 0,
    context: 0,
    quantization: 'Q4_K_M',
    parameters: '4.0B',
    embedding: false,
    thinking: false,
    roles: [],
    ...more,
  };
}

export function letterRow(id: string, more: Partial<LetterRow> = {}): LetterRow {
  return {
    id,
    role: 'planner',
    chat: 'main',
    provider: 'ollama',
    model: 'qwen3:4b',
    at: '2026-01-02T03:04:05Z',
    ms: 900,
    firstTokenMs: 120,
    tokensIn: 2000,
    tokensCached: 1900,
    tokensOut: 40,
    error: '',
    attempt: 1,
    replayOf: '',
    request: `request ${id}`,
    ...more,
  };
}

export function readingRow(id: string, more: Partial<ReadingRow> = {}): ReadingRow {
  const guess = (act: string, title: string, p: number, words: string[], why: string[]) => ({
    act,
    title,
    p,
    words,
    why,
    tags: [],
  });
  return {
    id,
    chat: 'main',
    at: '2026-01-02T03:03:00Z',
    text: `words of ${id}`,
    outcome: 'taken',
    taken: 'tool:song',
    title: '노래',
    guesses: [
      guess('music.play', '노래 틀기', 0.965, ['틀어줘', '노래'], ['이름을 들어 시켜요']),
      guess('film.play', '영화 보기', 0.018, [], []),
    ],
    ...more,
  };
}

export function standingOrder(id: string, more: Partial<StandingOrder> = {}): StandingOrder {
  return {
    id,
    chat: 'main',
    what: '서울 날씨 알려줘',
    when: '매일 오전 8시',
    rule: 'FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0',
    state: 'active',
    missed: 'once',
    next: '2026-01-06T01:00:00Z',
    upcoming: ['2026-01-06T01:00:00Z', '2026-01-07T01:00:00Z'],
    runs: [],
    ...more,
  };
}

export function sheetLine(title: string, more: Partial<SheetLine> = {}): SheetLine {
  return { title, at: '2026-01-05T01:00:00Z', chat: 'main', jobs: [], ...more };
}

export function sheetView(more: Partial<SheetView> = {}): SheetView {
  return {
    fresh: false,
    asks: [],
    together: [],
    counter: [],
    waiting: [],
    failed: [],
    missed: [],
    told: [],
    going: [],
    done: [],
    ...more,
  };
}

export function ticket(number: number, more: Partial<Ticket> = {}): Ticket {
  return {
    id: `j${number}`,
    number,
    title: `Job ${number}`,
    chat: 'main',
    turn: `m${number}`,
    state: 'succeeded',
    tools: [],
    created: '2026-01-02T03:04:05Z',
    ...more,
  };
}

export const listedServer = (name: string, more: Partial<ListedServer> = {}): ListedServer => ({
  name,
  kind: 'ollama',
  address: `http://${name}:11434`,
  settled: false,
  health: 'ok',
  reason: '',
  detail: '',
  breaker: '',
  serves: 'qwen3',
  models: ['qwen3'],
  reads: 0,
  writes: 0,
  requests: 0,
  keySet: false,
  keyPlace: '',
  ...more,
});
