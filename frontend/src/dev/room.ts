// The pretend model room. ?models= chooses how Ollama is: ok (default), off, not_installed, not_running, not_answering,
// wrong_address, no_model, loading, refused.
import type {
  Health,
  InstalledModel,
  ModelPull,
  ModelsView,
  PullState,
  Reason,
  RoleCard,
  Trouble,
  TroubleAction,
} from '../lib/api/types';

import { settings } from './manuals';
import type { Stage } from './stage';

const GB = 1e9;
const GiB = 2 ** 30;

const actions: Record<Reason, TroubleAction> = {
  not_installed: 'install',
  not_running: 'start',
  not_answering: 'none',
  nothing_there: 'address',
  wrong_address: 'address',
  no_model: 'pull',
  loading: 'none',
  refused: 'none',
};
const healths: Partial<Record<Reason, Exclude<Health, 'off'>>> = {
  no_model: 'no_model',
  loading: 'starting',
  refused: 'error',
};

const isReason = (state: string): state is Reason => Object.hasOwn(actions, state);

const installed = (name: string, bytes: number, more: Partial<InstalledModel>): InstalledModel => ({
  name,
  bytes,
  memory: bytes * 1.35,
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
});

const role = (name: string, ko: string, en: string, more: Partial<RoleCard> = {}): RoleCard => {
  const card = { model: '', temperature: 0, maxTokens: 1024, timeoutSeconds: 120, retries: 3 };
  return { role: name, title: { ko, en }, servers: [], ...card, defaults: card, ...more };
};

export class Room {
  reason: Reason | '';
  models: InstalledModel[] = [
    installed('qwen3:4b', 2.6 * GB, {
      loaded: true,
      loadedBytes: 3.9 * GiB,
      context: 8192,
      thinking: true,
      roles: ['planner', 'intent', 'slot', 'tool_chooser', 'librarian', 'summarizer', 'reporter'],
    }),
    installed('hf.co/LGAI-EXAONE/EXAONE-4.0-1.2B-GGUF:Q4_K_M', 0.81 * GB, {
      parameters: '1.3B',
      roles: ['solver'],
    }),
    installed('gemma3:27b', 17.4 * GB, { parameters: '27.4B', fits: false }),
    installed('bge-m3:latest', 1.2 * GB, { parameters: '567M', embedding: true }),
  ];
  pulls = new Map<string, ModelPull>();
  keySet = false;
  roles = [
    role('planner', '계획', 'Planner'),
    role('intent', '의도 파악', 'Intent'),
    role('slot', '빈칸 채우기', 'Slot filling'),
    role('tool_chooser', '공구 고르기', 'Tool chooser'),
    role('solver', '풀이', 'Solver', {
      model: 'hf.co/LGAI-EXAONE/EXAONE-4.0-1.2B-GGUF:Q4_K_M',
      temperature: 0.7,
    }),
    role('librarian', '사서', 'Librarian', { maxTokens: 512, timeoutSeconds: 90 }),
    role('summarizer', '요약', 'Summarizer'),
    role('reporter', '보고', 'Reporter'),
  ];

  constructor(
    private stage: Stage,
    state: string,
  ) {
    this.reason = isReason(state) ? state : '';
    if (this.reason) this.models = [];
    setInterval(() => this.#tick(), 250);
  }

  get #health(): Exclude<Health, 'off'> {
    return this.reason ? (healths[this.reason] ?? 'unreachable') : 'ok';
  }

  get trouble(): Trouble {
    return {
      provider: 'ollama',
      model: this.reason || !this.models.length ? '' : 'qwen3:4b',
      health: this.#health,
      reason: this.reason,
      detail: '',
      host: String(settings.find((s) => s.key === 'ollama_host')?.value),
      local: true,
      action: this.reason ? actions[this.reason] : 'none',
    };
  }

  view(): ModelsView {
    const have = new Set(this.models.map((m) => m.name));
    const recommended = (name: string, title: string, bytes: number, ko: string, en: string) => ({
      name,
      title,
      bytes: bytes * GB,
      memory: bytes * 1.4 * GiB,
      fits: bytes < 11,
      installed: have.has(name),
      embedding: name.startsWith('bge'),
      languages: ['ko', 'en'],
      note: { ko, en },
    });
    return structuredClone({
      trouble: this.trouble,
      openai: {
        provider: 'openai',
        model: '',
        health: 'off',
        reason: '',
        detail: '',
        host: '',
        local: false,
        action: 'none',
      },
      engine: { state: 'absent', version: '', addr: '', memory: 0, restarts: 0, again: 0, why: '' },
      servers: [],
      onDuty: this.stage.provider,
      installed: this.models,
      recommended: [
        recommended(
          'qwen3:1.7b',
          'Qwen3 1.7B',
          1.4,
          '아주 가볍고 빨라요. 짧은 부탁에 알맞아요.',
          'Very light and quick, for short requests.',
        ),
        recommended(
          'qwen3:4b',
          'Qwen3 4B',
          2.6,
          '작은 노트북에서 가장 무난해요.',
          'The safest choice on a small laptop.',
        ),
        recommended(
          'exaone3.5:7.8b',
          'EXAONE 3.5 7.8B',
          4.8,
          '한국어 글을 자연스럽게 써요.',
          'Writes natural Korean.',
        ),
        recommended(
          'gemma3:27b',
          'Gemma 3 27B',
          17,
          '가장 꼼꼼하지만 큰 메모리가 필요해요.',
          'The most thorough, with much memory.',
        ),
        recommended('bge-m3', 'BGE-M3', 1.2, '문서를 찾을 때 써요.', 'Finds documents.'),
      ],
      pulls: [...this.pulls.values()],
      roles: this.roles,
      ram: { total: 16 * GiB, available: 9.3 * GiB },
      keySet: this.keySet,
      keyPlace: this.keySet ? 'keyring' : '',
    });
  }

  pull(model: string, state: PullState = 'pulling', done = 0): void {
    const total = 2.6 * GB;
    const pull = {
      model,
      state,
      done,
      total,
      percent: (done / total) * 100,
      speed: 0,
      secondsLeft: 0,
    };
    this.pulls.set(model, pull);
    this.#tell(pull);
  }

  fail(model: string): void {
    const pull = this.pulls.get(model);
    if (!pull) return;
    const message = '인터넷 연결이 끊어졌어요. 연결을 확인하고 다시 받아 주세요.';
    this.#tell(Object.assign(pull, { state: 'failed', error: { code: 'offline', message } }));
  }

  move(model: string, state: PullState): void {
    const pull = this.pulls.get(model);
    if (pull)
      this.#tell(Object.assign(pull, { state, speed: 0, secondsLeft: 0, error: undefined }));
  }

  cancel(model: string): void {
    const pull = this.pulls.get(model);
    this.pulls.delete(model);
    if (pull) this.#tell({ ...pull, canceled: true });
  }

  change(model: string, more: Partial<InstalledModel>): void {
    this.models = this.models.map((m) => (m.name === model ? { ...m, ...more } : m));
    this.stage.emit('models.changed', { model });
  }

  remove(model: string): void {
    this.models = this.models.filter((m) => m.name !== model);
    this.stage.emit('models.changed', { model });
  }

  /** The provider comes back, or goes away. */
  turn(reason: Reason | ''): void {
    this.reason = reason;
    const health = this.#health;
    this.stage.provider = reason
      ? {
          provider: 'ollama',
          model: 'qwen3:4b',
          health,
          reason,
          detail: '설치되어 있지만 꺼져 있어요. 실행해 주세요.',
        }
      : { provider: 'ollama', model: 'qwen3:4b', health: 'ok' };
    this.stage.emit('provider.state', this.stage.provider);
  }

  setRole(key: string, value: unknown): boolean {
    const [, name, property] = /^roles\.(\w+)\.(\w+)$/.exec(key) ?? [];
    const card = this.roles.find((r) => r.role === name);
    if (!card || !property) return false;
    const field = { max_tokens: 'maxTokens', timeout: 'timeoutSeconds' }[property] ?? property;
    const defaults = card.defaults as unknown as Record<string, unknown>;
    Object.assign(card, { [field]: value ?? defaults[field] });
    return true;
  }

  #tell(pull: ModelPull): void {
    this.stage.emit('model.pull', { ...pull });
  }

  #tick(): void {
    for (const pull of this.pulls.values()) {
      if (pull.state !== 'pulling') continue;
      const speed = 42e6;
      pull.done = Math.min(pull.total, pull.done + speed / 4);
      Object.assign(pull, {
        speed,
        percent: (pull.done / pull.total) * 100,
        secondsLeft: Math.round((pull.total - pull.done) / speed),
      });
      if (pull.done >= pull.total) {
        pull.state = 'done';
        this.pulls.delete(pull.model);
        this.models = [installed(pull.model, pull.total, {}), ...this.models];
        this.stage.emit('models.changed', { model: pull.model });
        if (this.reason === 'no_model') this.turn('');
      }
      this.#tell(pull);
    }
  }
}
