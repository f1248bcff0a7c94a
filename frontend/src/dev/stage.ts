// A small pretend shop for looking at the window without Go. It is never part of a production build.
import type {
  AskOpened,
  AskReply,
  Blink,
  ChatMessage,
  JobView,
  LogLevel,
  MediaOrder,
  Rack,
  Snapshot,
  TodoView,
  WorkerStateName,
  event,
} from '../lib/api/types';
import type { Envelope, Kind, Payloads } from '../lib/events';

import { groups, manuals, racks } from './manuals';

type Send = (batch: Envelope[]) => void;

/** What a pretended job does at each todo: a tool for some seconds. */
export interface Wish {
  title: string;
  reply: string;
  todos: { title: string; tool: string; seconds: number; confirm?: boolean; fail?: boolean }[];
}

const iso = () => new Date().toISOString();

export class Stage {
  seq = 0;
  numbers = 100;
  chats = new Map<string, { title: string; updated: string; messages: ChatMessage[] }>();
  jobs: JobView[] = [];
  workers: event.WorkerState[];
  asks: AskOpened[] = [];
  racks: Rack[] = structuredClone(racks);
  media: event.Media[] = [];
  closed: { ask: AskOpened; choice: string; by: string; text?: string; time: string }[] = [];
  log = new Map<string, event.JobLog[]>();

  provider: event.ProviderState = { provider: 'builtin', model: 'phrasebook', health: 'ok' };

  #out: Envelope[] = [];
  #wishes = new Map<string, Wish>();
  #queue: string[] = [];
  #ids = 0;

  constructor(
    private send: Send,
    crew: number,
  ) {
    this.workers = Array.from({ length: crew }, (_, i) => ({
      worker: i + 1,
      state: 'idle',
      blink: 'none',
    }));
    setInterval(() => this.flush(), 33);
    setInterval(() => this.#progress(), 1000);
  }

  flush(): void {
    if (!this.#out.length) return;
    const batch = this.#out;
    this.#out = [];
    this.send(JSON.parse(JSON.stringify(batch)) as Envelope[]);
  }

  emit<K extends Kind>(kind: K, data: Payloads[K], chat = '', job = ''): void {
    this.#out.push({ seq: ++this.seq, time: iso(), kind, chat, job, data } as unknown as Envelope);
  }

  id = (prefix: string) => `${prefix}-${++this.#ids}`;

  snapshot(): Snapshot {
    this.flush();
    return structuredClone({
      shelves: [],
      projects: [],
      drafts: {},
      seq: this.seq,
      chats: [...this.chats].map(([id, c]) => ({ id, ...c })),
      workers: this.workers,
      jobs: this.jobs,
      asks: this.asks,
      inventory: this.racks,
      groups: groups.map((g) => ({
        ...g,
        holders: this.racks.filter((r) => r.group === g.group).flatMap((r) => r.holders),
      })),
      provider: this.provider,
      media: this.media,
      service: [],
      version: '0.1.0-dev',
    });
  }

  message(
    chat: string,
    role: ChatMessage['role'],
    text: string,
    more: Partial<ChatMessage> = {},
  ): ChatMessage {
    const message: ChatMessage = { id: this.id('m'), role, text, time: iso(), ...more };
    let room = this.chats.get(chat);
    if (!room) this.chats.set(chat, (room = { title: '', updated: iso(), messages: [] }));
    room.messages.push(message);
    room.updated = iso();
    this.emit('chat.message', message, chat);
    return message;
  }

  #writing = new Map<string, () => void>();

  /** Writes a reply piece by piece, after some thought. */
  stream(chat: string, text: string, reasoning = '', done?: () => void): void {
    const id = this.id('m');
    const thoughts = reasoning.match(/.{1,4}/gs) ?? [];
    const pieces = text.match(/.{1,3}/gs) ?? [];
    const end = (whole: string) => {
      clearInterval(timer);
      this.#writing.delete(chat);
      const message: ChatMessage = { id, role: 'shop', text: whole, reasoning, time: iso() };
      this.chats.get(chat)?.messages.push(message);
      this.emit('chat.message', message, chat);
      this.turnDone(chat, id);
      done?.();
    };
    const timer = setInterval(() => {
      const thought = thoughts.shift();
      if (thought !== undefined) {
        return this.emit('thinking', { step: 'generating', text: thought, data: { id } }, chat);
      }
      const piece = pieces.shift();
      if (piece !== undefined) return this.emit('chat.token', { id, delta: piece }, chat);
      end(text);
    }, 24);
    this.#writing.set(chat, () => end('답을 멈췄어요.'));
  }

  /** Stops the reply that is being written. */
  stop(chat: string): void {
    const stop = this.#writing.get(chat);
    if (stop) stop();
    else this.turnDone(chat, '');
  }

  turnDone(chat: string, messageId: string): void {
    const state = { stage: '', slots: {}, meta: {} };
    const uiHint = { buttons: [] };
    this.emit('turn.done', { message: '', messageId, nextAction: 'NONE', uiHint, state }, chat);
  }

  order(chat: string, wish: Wish): string {
    const id = this.id('job');
    const todos: TodoView[] = wish.todos.map((t, i) => ({
      id: `${id}-t${i}`,
      title: t.title,
      tool: t.tool,
      state: 'pending',
      node: '',
    }));
    const number = ++this.numbers;
    const job: JobView = {
      id,
      number,
      title: wish.title,
      chat,
      state: 'queued',
      todos,
      created: iso(),
    };
    this.jobs.push(job);
    this.#wishes.set(id, wish);
    this.emit('job.created', { ...job, jobId: id, todos }, chat, id);
    this.#queue.push(id);
    this.#dispatch();
    return id;
  }

  line(job: JobView, line: string, level: LogLevel = 'info'): void {
    const entry = { jobId: job.id, level, line };
    this.log.set(job.id, [...(this.log.get(job.id) ?? []), entry]);
    this.emit('job.log', entry, job.chat, job.id);
  }

  move(job: JobView, to: JobView['state'], reason = ''): void {
    const from = job.state;
    job.state = to;
    job.reason = reason;
    if (to === 'running') job.started ??= iso();
    this.emit('job.state', { id: job.id, jobId: job.id, from, to, reason }, job.chat, job.id);
    const ended = to === 'succeeded' || to === 'failed' || to === 'canceled';
    if (ended) job.ended = iso();
    const worker = this.workers.find((w) => w.jobId === job.id);
    if (!worker) return;
    const blinks: Partial<Record<typeof to, Blink>> = { succeeded: 'green', failed: 'red' };
    if (to === 'waiting' || to === 'queued') this.#worker(worker, 'idle', undefined, 'none');
    else this.#worker(worker, to, job.id, blinks[to] ?? 'none');
    if (!ended) return;
    setTimeout(() => {
      if (worker.jobId === job.id) this.#worker(worker, 'idle', undefined, 'none');
      this.#dispatch();
    }, 5000);
  }

  #worker(
    w: event.WorkerState,
    state: WorkerStateName,
    jobId: string | undefined,
    blink: Blink,
  ): void {
    Object.assign(w, { state, jobId, blink });
    this.emit('worker.state', { ...w });
  }

  #dispatch(): void {
    for (const worker of this.workers) {
      if (worker.state === 'running' || worker.state === 'waiting') continue;
      const id = this.#queue.shift();
      const job = this.jobs.find((j) => j.id === id);
      if (!job) return;
      worker.jobId = job.id;
      this.move(job, 'running');
      this.#next(job);
    }
  }

  #todo(job: JobView, todo: TodoView, state: TodoView['state'], node: string): void {
    Object.assign(todo, { state, node });
    const index = job.todos.indexOf(todo);
    const data = { jobId: job.id, todoId: todo.id, index, state, node };
    this.emit('todo.state', data, job.chat, job.id);
  }

  #next(job: JobView): void {
    const todo = job.todos.find((t) => t.state !== 'done');
    if (!todo) {
      const seconds = (Date.now() - Date.parse(job.started ?? iso())) / 1000;
      job.report = `**${job.title}** 일을 마쳤어요.`;
      const report = { jobId: job.id, text: job.report, toolsUsed: [], seconds };
      this.emit('job.report', report, job.chat, job.id);
      this.message(job.chat, 'job', job.report, { jobId: job.id });
      return this.move(job, 'succeeded');
    }
    this.#todo(job, todo, 'running', 'choose_tool');
    this.line(job, `할 일: ${todo.title}`);
    setTimeout(() => this.#acquire(job, todo), 350);
  }

  #plan(job: JobView, todo: TodoView) {
    return this.#wishes.get(job.id)?.todos[job.todos.indexOf(todo)];
  }

  #acquire(job: JobView, todo: TodoView): void {
    if (job.state !== 'running') return;
    const rack = this.racks.find((r) => r.tool === todo.tool);
    if (!rack) return this.#exec(job, todo);
    const rivals = rack.group
      ? this.racks.filter((r) => r.group === rack.group).flatMap((r) => r.holders)
      : rack.holders;
    const limit = rack.group === 'MonitorBox' ? 1 : rack.capacity;
    if (limit > 0 && rivals.length >= limit) {
      this.#todo(job, todo, 'waiting', 'locked');
      const question = `${todo.title}에 쓸 공구를 다른 일이 쓰고 있어요. 어떻게 할까요?`;
      return this.#ask(job, todo, {
        kind: 'lock',
        question,
        choices: ['wait', 'cancel', 'stop_other'],
        place: rack.waiting.length + 1,
        holders: structuredClone(rivals),
        reason: rack.group ? 'group' : 'capacity',
      });
    }
    const leaseId = this.id('lease');
    const holder = { jobId: job.id, title: job.title, tool: rack.tool, leaseId, since: iso() };
    rack.holders.push(holder);
    rack.waiting = rack.waiting.filter((w) => w.jobId !== job.id);
    this.emit(
      'tool.acquired',
      { tool: rack.tool, group: rack.group, leaseId, jobId: job.id },
      '',
      job.id,
    );
    this.line(job, `${rack.title.ko} 공구를 빌렸어요 (${leaseId})`);
    const plan = this.#plan(job, todo);
    if (plan?.confirm) {
      this.#todo(job, todo, 'waiting', 'confirm_check');
      return this.#ask(job, todo, {
        kind: 'approval',
        question: `${todo.title}을(를) 해도 될까요?`,
        choices: ['approve', 'edit', 'reject'],
        effect: '계산기를 한 번 써서 결과를 채팅에 적어요.',
        args: { expression: '35000 / 7', digits: 2, note: '점심값\u202e나누기\u200b', exact: true },
        digest: `sha256:${job.id}`,
      });
    }
    this.#exec(job, todo);
  }

  #ask(job: JobView, todo: TodoView, more: Partial<AskOpened>): void {
    const ask = {
      id: this.id('ask'),
      chat: job.chat,
      jobId: job.id,
      jobTitle: job.title,
      todoId: todo.id,
      tool: todo.tool,
      time: iso(),
      ...more,
    } as AskOpened;
    this.asks.push(ask);
    this.move(job, 'waiting', ask.kind);
    this.emit('ask.opened', ask, job.chat, job.id);
    this.#dispatch();
  }

  #exec(job: JobView, todo: TodoView): void {
    const plan = this.#plan(job, todo);
    this.#todo(job, todo, 'running', 'exec');
    this.#media('open', job, todo, plan?.seconds ?? 3);
    setTimeout(
      () => {
        if (job.state !== 'running') return;
        this.free(job);
        if (plan?.fail) {
          this.#todo(job, todo, 'failed', 'exec');
          this.line(job, '인터넷에 연결할 수 없어요', 'error');
          const message =
            '인터넷에 연결할 수 없어 날씨를 가져오지 못했어요. 연결을 확인하고 다시 말해 주세요.';
          this.emit('error', { code: 'offline', message }, job.chat, job.id);
          return this.move(job, 'failed', message);
        }
        this.#todo(job, todo, 'done', 'save_result');
        this.#next(job);
      },
      (plan?.seconds ?? 3) * 1000,
    );
  }

  /** Gives back what a job holds; whoever waits first gets it. */
  free(job: JobView): void {
    for (const rack of this.racks) {
      for (const { leaseId = '' } of rack.holders.filter((h) => h.jobId === job.id)) {
        rack.holders = rack.holders.filter((h) => h.leaseId !== leaseId);
        const data = { tool: rack.tool, group: rack.group, leaseId, jobId: job.id };
        this.emit('tool.released', data, '', job.id);
      }
    }
    for (const media of this.media.filter((m) => m.jobId === job.id)) {
      this.media = this.media.filter((m) => m !== media);
      this.emit('media', { ...media, action: 'close' }, '', job.id);
    }
    const line = this.racks.flatMap((r) => r.waiting).sort((a, b) => a.place - b.place);
    const next = this.jobs.find((j) => j.id === line[0]?.jobId);
    if (next) this.resume(next);
  }

  resume(job: JobView): void {
    const worker = this.workers.find((w) => w.state !== 'running');
    if (worker) worker.jobId = job.id;
    this.move(job, 'running');
    const todo = job.todos.find((t) => t.state === 'waiting');
    if (todo) this.#acquire(job, todo);
  }

  cancel(id: string): void {
    const job = this.jobs.find((j) => j.id === id);
    if (!job || ['succeeded', 'failed', 'canceled'].includes(job.state)) return;
    for (const ask of this.asks.filter((a) => a.jobId === id)) this.close(ask, 'cancel', 'system');
    for (const rack of this.racks) rack.waiting = rack.waiting.filter((w) => w.jobId !== id);
    this.#queue = this.#queue.filter((q) => q !== id);
    this.move(job, 'canceled');
    this.free(job);
  }

  close(ask: AskOpened, choice: string, by: string, reason = ''): void {
    this.asks = this.asks.filter((a) => a !== ask);
    this.closed.push({ ask, choice, by, text: reason, time: iso() });
    this.emit(
      'ask.closed',
      { id: ask.id, jobId: ask.jobId, choice, by, reason },
      ask.chat,
      ask.jobId,
    );
  }

  answer(reply: AskReply): void {
    const ask = this.asks.find((a) => a.id === reply.ask);
    if (!ask) {
      const message = '이미 답한 질문이에요. 바뀐 것은 없어요.';
      throw { code: 'stale_answer', message };
    }
    this.close(ask, reply.choice, 'person', reply.text);
    const job = this.jobs.find((j) => j.id === ask.jobId);
    const todo = job?.todos.find((t) => t.id === ask.todoId);
    if (!job || !todo) return;
    switch (reply.choice) {
      case 'wait': {
        const rack = this.racks.find((r) => r.tool === ask.tool);
        const place = (rack?.waiting.length ?? 0) + 1;
        rack?.waiting.push({ jobId: job.id, place });
        const queued = { tool: ask.tool ?? '', group: rack?.group, jobId: job.id, place };
        this.emit('tool.queued', queued, '', job.id);
        return;
      }
      case 'stop_other':
        this.cancel(reply.holder ?? '');
        return this.resume(job);
      case 'approve':
      case 'edit': {
        const worker = this.workers.find((w) => w.state !== 'running');
        if (worker) worker.jobId = job.id;
        this.move(job, 'running');
        return this.#exec(job, todo);
      }
      default:
        return this.cancel(job.id);
    }
  }

  manuals = () => manuals;

  #media(action: string, job: JobView, todo: TodoView, seconds: number): void {
    const kind = todo.tool;
    if (kind !== 'nav' && kind !== 'movie' && kind !== 'song') return;
    const taken = new Set(this.media.map((m) => m.device));
    const device = kind !== 'song' ? 'monitor' : taken.has('deck1') ? 'deck2' : 'deck1';
    const media: event.Media = {
      action,
      device,
      kind,
      jobId: job.id,
      title: todo.title,
      seconds,
      position: 0,
      rate: 1,
      ...(kind === 'nav'
        ? { map: route(0) }
        : { play: { paused: false, repeat: false, volume: 80, muted: false, take: 0 } }),
    };
    this.media.push(media);
    this.emit('media', media, '', job.id);
  }

  control({ act, device, level }: MediaOrder): void {
    const media = this.media.find((m) => m.device === device);
    if (!media?.play) return;
    const { play } = media;
    if (act === 'pause' || act === 'resume') play.paused = act === 'pause';
    if (act === 'mute' || act === 'unmute') play.muted = act === 'mute';
    if (act === 'repeat' || act === 'repeat_off') play.repeat = act === 'repeat';
    if (act === 'volume') Object.assign(play, { volume: level ?? play.volume, muted: level === 0 });
    if (act === 'next' || act === 'previous') {
      media.position = 0;
      play.take++;
    }
    this.emit('media', { ...media, play: { ...play }, action: 'progress' }, '', media.jobId);
  }

  #progress(): void {
    for (const media of this.media) {
      if (media.play?.paused) continue;
      media.position = Math.min((media.position ?? 0) + 1, media.seconds ?? 0);
      if (media.map) media.map = route(media.position / (media.seconds ?? 1));
      this.emit('media', { ...media, action: 'progress' }, '', media.jobId);
    }
  }
}

/** From Seoul City Hall to Busan Station, this far along. */
function route(progress: number): event.NavMap {
  const from = { name: '서울시청', lat: 37.5663, lon: 126.9779 };
  const to = { name: '부산역', lat: 35.1151, lon: 129.0413 };
  const here = {
    name: '',
    lat: from.lat + (to.lat - from.lat) * progress,
    lon: from.lon + (to.lon - from.lon) * progress,
  };
  return {
    from,
    to,
    here,
    totalKm: 325.4,
    leftKm: 325.4 * (1 - progress),
    bearing: 145,
    progress,
    direction: '남동쪽',
    note: '도로 정보 없이 직선 방향만 안내해요.',
  };
}
