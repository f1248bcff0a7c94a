// What tests are made of: each shape whole, with what a test cares about put in.
import type { AskOpened, JobView, Snapshot } from '$lib/api/types';

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
