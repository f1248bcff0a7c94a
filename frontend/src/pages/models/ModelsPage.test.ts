import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api, type ModelPull, type ModelsView, type RoleCard } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';
import { installed, modelsView, trouble, listedServer } from '../../test/shapes';

import ModelsPage from './ModelsPage.svelte';

const GiB = 2 ** 30;

const recommended = (name: string, memory: number, fits = true) => ({
  name,
  title: name,
  bytes: memory * 0.7 * GiB,
  memory: memory * GiB,
  fits,
  installed: false,
  embedding: false,
  languages: ['ko', 'en'],
  note: { ko: '', en: '' },
});

const card = (role: string, more: Partial<RoleCard> = {}): RoleCard => {
  const defaults = { model: '', temperature: 0, maxTokens: 1024, timeoutSeconds: 0, retries: 3 };
  return { role, title: { ko: role, en: role }, servers: [], ...defaults, defaults, ...more };
};

describe('ModelsPage', () => {
  let answer: ModelsView;

  async function open(more: Partial<ModelsView> = {}) {
    answer = modelsView(more);
    await shop.models.load();
    render(ModelsPage);
    await screen.findByRole('heading', { level: 1 });
  }

  beforeEach(() => {
    language.current = 'ko';
    view.link = undefined;
    vi.restoreAllMocks();
    shop.models.pulls.clear();
    vi.spyOn(api, 'models').mockImplementation(() => Promise.resolve(answer));
    vi.spyOn(api, 'settings').mockResolvedValue([]);
    vi.spyOn(api, 'checkProvider').mockResolvedValue(trouble());
  });

  const list = [
    recommended('small:1b', 2),
    recommended('good:4b', 4),
    recommended('big:27b', 30, false),
  ];

  describe('tells the troubles apart, each with one thing that helps', () => {
    it.each([
      ['not_installed', 'install', 'Ollama가 설치되어 있지 않아요', '설치 페이지 열기'],
      ['not_running', 'start', 'Ollama가 꺼져 있어요', 'Ollama 켜기'],
      ['not_answering', 'none', 'Ollama가 대답하지 않아요', '다시 확인'],
      [
        'nothing_there',
        'address',
        'http://127.0.0.1:11434에서 아무것도 대답하지 않아요',
        '이 주소로 바꾸기',
      ],
      ['wrong_address', 'address', '이 주소에는 Ollama가 없어요', '이 주소로 바꾸기'],
      ['no_model', 'pull', '쓸 모델이 없어요', /^good:4b 받기/],
      ['refused', 'none', '서버가 요청을 거절했어요', '다시 확인'],
    ] as const)('%s', async (reason, action, title, button) => {
      await open({
        trouble: trouble({ health: 'unreachable', reason, action }),
        recommended: list,
      });
      const box = screen.getByTestId('trouble');
      expect(within(box).getByRole('heading').textContent).toBe(title);
      expect(within(box).getByRole('button', { name: button })).toBeTruthy();
      expect(box.querySelectorAll('.primary')).toHaveLength(1);
    });

    it('none while a model is loaded: it only takes time', async () => {
      await open({ trouble: trouble({ health: 'starting', reason: 'loading' }) });
      expect(within(screen.getByTestId('trouble')).queryAllByRole('button')).toEqual([]);
    });

    it('no card at all when Ollama is well', async () => {
      await open();
      expect(screen.queryByTestId('trouble')).toBeNull();
    });
  });

  it('installs through the link dialog, starts, pulls what fits and corrects the address', async () => {
    await open({
      trouble: trouble({ health: 'unreachable', reason: 'not_installed', action: 'install' }),
    });
    await fireEvent.click(screen.getByRole('button', { name: '설치 페이지 열기' }));
    expect(view.link).toBe('https://ollama.com/download');

    const start = vi.spyOn(api, 'startOllama').mockResolvedValue();
    answer = modelsView({
      trouble: trouble({ health: 'unreachable', reason: 'not_running', action: 'start' }),
    });
    await shop.models.load();
    await fireEvent.click(await screen.findByRole('button', { name: 'Ollama 켜기' }));
    expect(start).toHaveBeenCalledOnce();

    const pull = vi.spyOn(api, 'pullModel').mockResolvedValue();
    answer = modelsView({
      trouble: trouble({ health: 'no_model', reason: 'no_model', action: 'pull' }),
      recommended: list,
    });
    await shop.models.load();
    const remedy = await screen.findByTestId('remedy');
    await fireEvent.click(within(remedy).getByRole('button', { name: /good:4b/ }));
    expect(pull).toHaveBeenCalledWith('good:4b');

    const set = vi.spyOn(shop.settings, 'set').mockResolvedValue();
    answer = modelsView({
      trouble: trouble({ health: 'unreachable', reason: 'wrong_address', action: 'address' }),
    });
    await shop.models.load();
    const field = await screen.findByTestId('ollama-address');
    await fireEvent.input(field, { target: { value: 'http://box:11434' } });
    await fireEvent.click(screen.getByRole('button', { name: '이 주소로 바꾸기' }));
    expect(set).toHaveBeenCalledWith({ ollama_host: 'http://box:11434' });
  });

  it('shows a download that was asked for by name', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
    vi.spyOn(api, 'pullModel').mockImplementation((model) => {
      const figures = { done: 0, total: 0, percent: 0, speed: 0, secondsLeft: 0 };
      answer = modelsView({ pulls: [{ model, state: 'waiting', ...figures }] });
      return Promise.resolve();
    });
    await open();
    const field = screen.getByLabelText('다른 모델 받기');
    await fireEvent.input(field, { target: { value: ' phi4-mini ' } });
    await fireEvent.submit(field);
    await waitFor(() => expect(scroll).toHaveBeenCalledOnce());
    expect(screen.getByTestId('pull').dataset['model']).toBe('phi4-mini');
    expect(field).toHaveProperty('value', '');
  });

  it('deletes a model only after a second yes, naming what it serves', async () => {
    const remove = vi.spyOn(api, 'deleteModel').mockResolvedValue();
    await open({
      installed: [installed('qwen3:4b', { roles: ['solver'] })],
      roles: [card('solver')],
    });
    await fireEvent.click(screen.getByRole('button', { name: 'qwen3:4b 지우기' }));
    expect(remove).not.toHaveBeenCalled();
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('solver');
    await fireEvent.click(within(dialog).getByTestId('delete-model'));
    expect(remove).toHaveBeenCalledWith('qwen3:4b');
  });

  it('shows how far a download is, and offers what its state allows', async () => {
    const pull: ModelPull = {
      model: 'qwen3:4b',
      state: 'pulling',
      done: 1.3e9,
      total: 2.6e9,
      percent: 50.4,
      speed: 42e6,
      secondsLeft: 31,
    };
    await open({ pulls: [pull] });
    const row = screen.getByTestId('pull');
    expect(within(row).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    expect(row.textContent).toContain('2.6 GB 중 1.3 GB · 초당 42 MB · 31초 남음');
    const pause = vi.spyOn(api, 'pausePull').mockResolvedValue();
    await fireEvent.click(within(row).getByRole('button', { name: '잠시 멈추기' }));
    expect(pause).toHaveBeenCalledWith('qwen3:4b');

    const error = { code: 'offline', message: '인터넷이 끊겼어요.' };
    answer = modelsView({ pulls: [{ ...pull, state: 'failed', error }] });
    await shop.models.load();
    expect((await within(row).findByRole('alert')).textContent).toBe('인터넷이 끊겼어요.');
    const again = vi.spyOn(api, 'resumePull').mockResolvedValue();
    await fireEvent.click(within(row).getByRole('button', { name: '다시 받기' }));
    expect(again).toHaveBeenCalledWith('qwen3:4b');
  });

  it("changes a role's card, and puts it back whole", async () => {
    const set = vi.spyOn(api, 'setSettings').mockResolvedValue();
    await open({
      installed: [installed('qwen3:4b'), installed('bge-m3', { embedding: true })],
      servers: [
        listedServer('ollama', { settled: true, models: ['qwen3:4b'] }),
        listedServer('GPU', { models: ['big'] }),
      ],
      roles: [card('solver', { temperature: 0.7 })],
    });
    const row = screen.getByTestId('role');
    const model = within(row).getByRole('combobox');
    expect([...model.querySelectorAll('option')].map((o) => o.value)).toEqual([
      '',
      'ollama/qwen3:4b',
      'GPU/big',
    ]);
    await fireEvent.change(model, { target: { value: 'GPU/big' } });
    expect(set).toHaveBeenLastCalledWith({ 'roles.solver.model': 'GPU/big' });

    const timeout = await within(row).findByRole('spinbutton', { name: /제한 시간/ });
    await waitFor(() => expect(timeout).toHaveProperty('disabled', false));
    expect(timeout).toHaveProperty('placeholder', '제한 없음');
    await fireEvent.change(timeout, { target: { value: '90' } });
    expect(set).toHaveBeenLastCalledWith({ 'roles.solver.timeout': 90 });
    await waitFor(() => expect(timeout).toHaveProperty('disabled', false));
    set.mockClear();
    await fireEvent.change(timeout, { target: { value: '1.5' } });
    expect(set).not.toHaveBeenCalled();
    expect(timeout).toHaveProperty('value', '');

    await fireEvent.click(within(row).getByRole('button', { name: /기본값으로/ }));
    expect(set).toHaveBeenLastCalledWith({
      'roles.solver.model': null,
      'roles.solver.temperature': null,
      'roles.solver.max_tokens': null,
      'roles.solver.timeout': null,
      'roles.solver.retries': null,
    });
  });

  it('takes a key and never shows it again', async () => {
    const keep = vi.spyOn(api, 'setOpenAIKey').mockResolvedValue();
    await open({ keySet: true, keyPlace: 'keyring' });
    expect(screen.getByText(/시스템 열쇠고리에 저장/)).toBeTruthy();
    const field = screen.getByTestId('api-key');
    expect(field).toHaveProperty('type', 'password');
    await fireEvent.input(field, { target: { value: 'sk-secret' } });
    await fireEvent.click(screen.getByRole('button', { name: '열쇠 저장' }));
    expect(keep).toHaveBeenCalledWith('sk-secret');
    await waitFor(() => expect(field).toHaveProperty('value', ''));
    await fireEvent.click(screen.getByRole('button', { name: '열쇠 지우기' }));
    expect(keep).toHaveBeenLastCalledWith('');
  });

  it('makes a model of a file that is chosen', async () => {
    await open();
    vi.spyOn(api, 'chooseModelFile').mockResolvedValue('/home/me/Mine.gguf');
    const bring = vi.spyOn(api, 'importModel').mockResolvedValue('mine');
    await fireEvent.click(screen.getByRole('button', { name: '파일 고르기' }));
    await waitFor(() => expect(bring).toHaveBeenCalledWith('/home/me/Mine.gguf'));
  });

  it('says how the engine is that came with the app', async () => {
    const engine = {
      version: '0.34.4',
      addr: '127.0.0.1:4242',
      memory: GiB,
      restarts: 1,
      again: 0,
    };
    await open({ engine: { ...engine, state: 'running', why: '' } });
    expect(screen.getByTestId('engine').textContent).toContain('Ollama 0.34.4');
  });

  it('starts that engine at once when it ended', async () => {
    const engine = { version: '', addr: '', memory: 0, restarts: 1, again: 1 };
    await open({ engine: { ...engine, state: 'waiting', why: 'no room' } });
    expect(screen.getByTestId('engine').textContent).toContain('no room');
    const start = vi.spyOn(api, 'startOllama').mockResolvedValue();
    await fireEvent.click(screen.getByRole('button', { name: '지금 다시 켜기' }));
    expect(start).toHaveBeenCalled();
  });
});
