// Stands in for Go when the window runs under plain `vite`. Scenes are chosen by the address:
//   ?scene=empty | busy | crowd | talk   &models=ok | not_running | … (see room.ts)   &lang=ko|en   &theme=light|dark   &workers=4   &logs=10000 (lines a second)
import type {
  AskReply,
  LogLine,
  MediaOrder,
  MissedRule,
  SearchQuery,
  Setting,
  StandingDeed,
  TicketFilter,
  UpdateView,
} from '../lib/api/types';

import { bank, memory, services } from './counter';
import { Favourites } from './favourites';
import { settings } from './manuals';
import { Post } from './post';
import { Room } from './room';
import { scenes } from './scenes';
import { Sheets } from './sheet';
import { Stage } from './stage';
import { StandingOrders } from './standing';
import { tickets } from './tickets';
import { understand } from './wishes';

type Handler = (data: unknown) => void;

/** Puts a stand-in for Go behind the window. */
export function pretend(): void {
  const query = new URLSearchParams(location.search);
  for (const key of ['lang', 'theme']) {
    const value = query.get(key);
    const setting = settings.find((s) => s.key === key);
    if (value && setting) setting.value = value;
  }

  const handlers = new Map<string, Set<Handler>>();
  const send = (name: string, data: unknown) => handlers.get(name)?.forEach((h) => h(data));
  const stage = new Stage((batch) => send('events', batch), Number(query.get('workers') ?? 4));
  stage.chats.set('main', { title: '', updated: new Date().toISOString(), messages: [] });
  const room = new Room(stage, query.get('models') ?? 'not_installed');
  const post = new Post();
  const standing = new StandingOrders(stage, () => lang());
  const favourites = new Favourites(stage, () => lang());
  const sheets = new Sheets(stage, () => lang());
  if (query.get('models') === 'ok') room.turn('');
  const lines: LogLine[] = [];
  const lang = () => String(settings.find((s) => s.key === 'lang')?.value ?? 'ko');

  const slowly = <T>(value: () => T): Promise<T> =>
    new Promise((resolve) => setTimeout(() => resolve(value()), 1200));
  const later = <T>(value: () => T): Promise<T> => new Promise((done) => done(value()));
  const say = (chat: string, text: string) => {
    const message = stage.message(chat, 'customer', text);
    setTimeout(() => understand(stage, chat, text, lang()), 120);
    return message;
  };
  let atLogin = false;
  const newest: UpdateView = {
    state: 'newer',
    current: '0.1.0',
    version: '0.2.0',
    changes:
      lang() === 'ko'
        ? ['문서를 더 빨리 찾아요', '창을 닫아도 일해요']
        : ['Documents are found sooner', 'It works on when its window is closed'],
    kind: 'deb',
    file: 'agentchat_0.2.0_amd64.deb',
    bytes: 44_000_000,
    looked: new Date().toISOString(),
  };
  const fetched = (): UpdateView => {
    Object.assign(newest, {
      state: 'fetched',
      path: '/home/customer/agentchat_0.2.0_amd64.deb',
      command: "sudo apt install '/home/customer/agentchat_0.2.0_amd64.deb'",
    });
    return { ...newest };
  };
  const hidden = new Map<string, unknown>();
  const App: Record<string, (...args: never[]) => Promise<unknown>> = {
    Snapshot: () => later(() => stage.snapshot()),
    Say: (chat: string, text: string) => later(() => say(chat, text)),
    Answer: (reply: AskReply) => later(() => stage.answer(reply)),
    CancelJob: (id: string) => later(() => stage.cancel(id)),
    StopReply: (chat: string) => later(() => stage.stop(chat)),
    NewChat: () =>
      later(() => {
        const id = stage.id('chat');
        stage.chats.set(id, { title: '', updated: new Date().toISOString(), messages: [] });
        stage.emit('chat.created', { id, title: '' });
        return { id, title: '' };
      }),
    RenameChat: (id: string, title: string) =>
      later(() => {
        const chat = stage.chats.get(id);
        if (chat) chat.title = title;
        stage.emit('chat.created', { id, title });
      }),
    DeleteChat: (id: string) => later(() => stage.chats.delete(id)),
    DeleteMessage: (id: string) => later(() => hidden.set(id, true)),
    RestoreMessage: (id: string) => later(() => hidden.delete(id)),
    History: () => later(() => []),
    Job: (id: string) =>
      later(() => ({
        job: stage.jobs.find((j) => j.id === id),
        asks: stage.asks.filter((a) => a.jobId === id),
        closed: stage.closed.filter((c) => c.ask.jobId === id),
        log: (stage.log.get(id) ?? []).map((l) => ({ ...l, time: new Date().toISOString() })),
        messages: stage.chats.get(`job:${id}`)?.messages ?? [],
      })),
    ClearEnded: () =>
      later(() => {
        const over = new Set(['succeeded', 'failed', 'canceled']);
        stage.jobs = stage.jobs.filter((j) => !over.has(j.state));
      }),
    Search: ({ text }: SearchQuery) =>
      later(() =>
        stage.jobs
          .filter((j) => j.title.includes(text))
          .map((j) => ({
            kind: 'job',
            chat: j.chat,
            jobId: j.id,
            id: j.id,
            title: `No. ${j.number} ${j.title}`,
            text: j.todos.map((t) => t.title).join(' · '),
            time: j.created,
          })),
      ),
    Tools: () => later(() => stage.manuals()),
    Settings: () => later(() => structuredClone(settings)),
    SetSettings: (values: Record<string, unknown>) =>
      later(() => {
        for (const [key, value] of Object.entries(values)) {
          if (room.setRole(key, value)) continue;
          const setting: Setting | undefined = settings.find((s) => s.key === key);
          if (!setting) throw { code: 'invalid_setting', message: `설정값이 맞지 않아요: ${key}` };
          setting.value = (value ?? setting.default) as Setting['value'];
        }
        stage.emit('config.changed', { changed: values });
      }),
    Tickets: (filter: TicketFilter, cursor: number, limit: number) =>
      later(() => tickets(stage.jobs, filter, cursor, limit)),
    SayAgain: (id: string) =>
      later(() => {
        const job = stage.jobs.find((j) => j.id === id);
        const message = stage.message(job?.chat ?? 'main', 'customer', job?.title ?? '');
        setTimeout(() => understand(stage, job?.chat ?? 'main', message.text, lang()), 120);
        return { message };
      }),
    ExportTickets: (_: TicketFilter, path: string, format: string) =>
      later(() => path || `jobs.${format}`),
    Models: () => later(() => room.view()),
    PullModel: (name: string) => later(() => room.pull(name)),
    PausePull: (name: string) => later(() => room.move(name, 'paused')),
    ResumePull: (name: string) => later(() => room.move(name, 'pulling')),
    CancelPull: (name: string) => later(() => room.cancel(name)),
    DeleteModel: (name: string) => later(() => room.remove(name)),
    LoadModel: (name: string) =>
      slowly(() => room.change(name, { loaded: true, loadedBytes: 4e9, context: 8192 })),
    UnloadModel: (name: string) => slowly(() => room.change(name, { loaded: false })),
    CheckProvider: () => slowly(() => room.trouble),
    StartOllama: () => slowly(() => room.turn('')),
    SetOpenAIKey: (key: string) => later(() => (room.keySet = key !== '')),
    Services: () => later(services),
    Bank: () => later(bank),
    Statement: () => later(() => []),
    StandingOrders: () => later(() => standing.list()),
    DoStanding: (id: string, verb: StandingDeed) => later(() => standing.do(id, verb)),
    ChangeStanding: (id: string, when: string, missed: MissedRule) =>
      later(() => standing.change(id, when, missed)),
    Favourites: () => later(() => favourites.view()),
    KeepFavourite: (id: string, name: string, text: string, was: Record<string, string>) =>
      later(() => favourites.keep(id, name, text, was)),
    DeleteFavourite: (id: string) => later(() => favourites.move(id, true)),
    RestoreFavourite: (id: string) => later(() => favourites.move(id, false)),
    RunFavourite: (chat: string, id: string, words: string) =>
      later(() => say(chat, favourites.words(id, words))),
    ScheduleFavourite: (chat: string, id: string, when: string) =>
      later(() => say(chat, `${when} ${favourites.words(id, '')}`)),
    FavouriteArguments: (text: string) => later(() => favourites.arguments(text)),
    Present: () => later(() => undefined),
    Sheet: () => later(() => sheets.view()),
    LookedAtSheet: () => later(() => sheets.look()),
    Approve: (shown: AskReply[]) => later(() => sheets.approve(shown)),
    Memory: (chat: string) => later(() => memory(chat)),
    Backups: () => later(() => []),
    Restoring: () => later(() => false),
    Letters: (chat: string, job: string) =>
      later(() => post.rows.filter((r) => (!chat || r.chat === chat) && (!job || r.job === job))),
    Readings: () => later(() => post.readings()),
    Letter: (id: string) => later(() => post.detail(id)),
    ReplayLetter: (id: string) => slowly(() => post.replay(id)),
    JobLogs: () => later(() => []),
    Logs: () => later(() => lines),
    MediaReport: () => later(() => undefined),
    MediaControl: (order: MediaOrder) => later(() => stage.control(order)),
    ChooseFolder: () => later(() => '/home/customer/Music'),
    OpenLink: (address: string) => later(() => console.info('open', address)),
    SetFocused: () => later(() => undefined),
    PageCommands: () => later(() => []),
    CloseAs: () => later(() => undefined),
    Quit: () => later(() => undefined),
    Stay: () => later(() => undefined),
    Update: () => later(() => ({ ...newest })),
    LookForUpdate: () => later(() => ({ ...newest })),
    FetchUpdate: () => later(fetched),
    OpenUpdate: () => later(() => undefined),
    GlobalKey: () => later(() => ({ state: 'absent', trigger: '' })),
    LineDone: () => later(() => undefined),
    StartsAtLogin: () => later(() => atLogin),
    SetStartsAtLogin: (on: boolean) => later(() => void (atLogin = on)),
  };

  Object.assign(window, {
    go: { main: { App } },
    runtime: {
      OnFileDrop: () => undefined,
      OnFileDropOff: () => undefined,
      EventsOnMultiple: (name: string, handler: Handler) => {
        const set = handlers.get(name) ?? new Set();
        handlers.set(name, set.add(handler));
        return () => set.delete(handler);
      },
    },
    stage,
    room,
  });

  const rate = Number(query.get('logs') ?? 4);
  let count = 0;
  setInterval(() => {
    const batch: LogLine[] = [];
    count += rate / 30;
    for (; count >= 1; count--) {
      const level = (['debug', 'info', 'info', 'info', 'warn', 'error'] as const)[
        Math.floor(Math.random() * 6)
      ];
      batch.push({
        time: new Date().toISOString(),
        level: level ?? 'info',
        message:
          ['job moved', 'lease taken', 'turn done', 'letter sent'][Math.floor(Math.random() * 4)] ??
          '',
        fields: { component: 'job', job: `job-${Math.ceil(Math.random() * 40)}` },
      });
    }
    if (batch.length) send('logs', batch);
  }, 33);

  scenes[query.get('scene') ?? 'empty']?.(stage, lang());
}
