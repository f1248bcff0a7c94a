import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { api, type Media } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { Ask } from '$stores/asks.svelte';
import { shop } from '$stores/shop.svelte';
import { askOpened } from '../test/shapes';

import MonitorDock from './MonitorDock.svelte';

const place = (name: string, lat: number, lon: number) => ({ name, lat, lon });
const nav: Media = {
  action: 'open',
  device: 'monitor',
  kind: 'nav',
  jobId: 'job-1',
  title: '부산역까지 길 안내',
  seconds: 9000,
  position: 3600,
  rate: 60,
  map: {
    from: place('서울시청', 37.57, 126.98),
    to: place('부산역', 35.12, 129.04),
    here: place('', 36.6, 127.8),
    totalKm: 325,
    leftKm: 195,
    bearing: 145,
    progress: 0.4,
    direction: '남동쪽',
    note: '도로 정보가 없어요.',
  },
};
const play = { paused: false, repeat: false, volume: 80, muted: false, take: 0 };
const movie: Media = {
  ...nav,
  kind: 'movie',
  title: '가게의 하루',
  map: undefined,
  rate: 1,
  play,
};
const song: Media = {
  action: 'open',
  device: 'deck1',
  kind: 'song',
  jobId: 'job-2',
  title: '밤 근무',
  seconds: 90,
  position: 30,
  rate: 1,
  play,
};

describe('MonitorDock', () => {
  beforeAll(() => import('./NavScreen.svelte')); // what is fetched when it is wanted is here
  beforeEach(() => {
    localStorage.clear();
    language.current = 'ko';
    shop.media.byDevice.clear();
    HTMLMediaElement.prototype.play = () => Promise.resolve();
    HTMLMediaElement.prototype.pause = () => undefined;
    HTMLMediaElement.prototype.load = () => undefined;
    HTMLCanvasElement.prototype.getContext = () => null;
  });

  const put = async (...pieces: Media[]) => {
    for (const piece of pieces) shop.media.byDevice.set(piece.device, piece);
    await tick();
  };
  const open = () => fireEvent.click(screen.getByTestId('dock-toggle'));
  const monitor = () => screen.getByTestId('monitor');
  const decks = () => screen.getAllByTestId('deck');

  it('takes no room while nothing plays', () => {
    render(MonitorDock);
    expect(monitor().dataset['kind']).toBe('none');
    expect(decks().map((d) => d.dataset['state'])).toEqual(['empty', 'empty']);
    expect(screen.queryByTestId('player-bar')).toBeNull();
  });

  it('shows the way: where to, how far, when, and what it does not know', async () => {
    render(MonitorDock);
    await put(nav);
    await open();
    expect(monitor().dataset['kind']).toBe('nav');
    await waitFor(() => expect(monitor().textContent).toContain('195 km'));
    expect(monitor().textContent).toContain('2분');
    expect(monitor().textContent).toContain('40%');
    expect(monitor().textContent).toContain('도로 정보가 없어요.');
    expect(screen.getByRole('img', { name: /서울시청에서 부산역까지/ })).toBeTruthy();
  });

  it('is one screen: a movie takes the place of the map', async () => {
    const { container } = render(MonitorDock);
    await put(nav);
    await put({ ...movie, jobId: 'job-3', url: 'http://127.0.0.1:1/film.webm' });
    expect(monitor().dataset['kind']).toBe('movie');
    expect(container.querySelectorAll('video')).toHaveLength(1);
    shop.media.byDevice.delete('monitor');
    await tick();
    expect(monitor().dataset['kind']).toBe('none');
  });

  it('plays a song on its deck and stops its job', async () => {
    const cancel = vi.spyOn(api, 'cancelJob').mockResolvedValue();
    render(MonitorDock);
    await put(song);
    expect(decks().map((d) => d.dataset['state'])).toEqual(['playing', 'empty']);
    expect(decks()[0]?.textContent).toContain('0:30');
    await fireEvent.click(screen.getAllByRole('button', { name: '밤 근무 멈추기' })[0]!);
    expect(cancel).toHaveBeenCalledWith('job-2');
  });

  it('does what its buttons say by the shop, and shows what the shop says', async () => {
    const control = vi.spyOn(api, 'mediaControl').mockResolvedValue();
    const asked = (act: string, device = 'deck1') =>
      expect(control).toHaveBeenLastCalledWith({ act, device, kind: '', title: '' });
    const press = (name: string) =>
      fireEvent.click(screen.getAllByRole('button', { name, hidden: true })[0]!);
    render(MonitorDock);
    await put(song);
    await press('밤 근무 잠깐 멈추기');
    asked('pause');
    await press('소리 끄기');
    asked('mute');
    await put({ ...song, play: { ...play, paused: true, muted: true, volume: 40 } });
    expect(decks()[0]?.dataset['state']).toBe('paused');
    await press('밤 근무 이어서 틀기');
    asked('resume');
    await press('소리 켜기');
    asked('unmute');
    await put({ ...movie, jobId: 'job-3', play: { ...play, repeat: true } });
    for (const [name, act] of [
      ['이전', 'previous'],
      ['다음', 'next'],
      ['되풀이', 'repeat_off'],
    ] as const) {
      await press(name);
      asked(act, 'monitor');
    }
  });

  it('turns as loud as was wanted last while the knob moves', async () => {
    const told: (number | undefined)[] = [];
    let answer = () => undefined as void;
    vi.spyOn(api, 'mediaControl').mockImplementation(({ level }) => {
      told.push(level);
      return new Promise((done) => (answer = done));
    });
    render(MonitorDock);
    await put(song);
    const knob = screen.getAllByRole('slider', { hidden: true })[0]!;
    for (const value of [70, 60, 50]) await fireEvent.input(knob, { target: { value } });
    expect(told).toEqual([70]);
    answer();
    await vi.waitFor(() => expect(told).toEqual([70, 50]));
    answer();
  });

  it('goes on playing while it is closed', async () => {
    const { container } = render(MonitorDock);
    await put(song);
    expect(container.querySelector('audio')).toBeTruthy();
    expect(container.querySelector<HTMLElement>('#monitor-dock')?.hidden).toBe(true);
    expect(screen.getByTestId('playing').textContent).toContain('0:30 / 1:30');
    await open();
    expect(container.querySelector<HTMLElement>('#monitor-dock')?.hidden).toBe(false);
  });

  it('folds for a question and opens again after its answer', async () => {
    const { container } = render(MonitorDock);
    await put(song);
    await open();
    const room = container.querySelector<HTMLElement>('#monitor-dock');
    const ask = new Ask(askOpened('a1'), '');
    shop.asks.byId.set('a1', ask);
    await tick();
    expect(room?.hidden).toBe(true);
    await open();
    expect(room?.hidden).toBe(false);
    ask.choice = 'wait';
    await tick();
    expect(room?.hidden).toBe(false);
    shop.asks.byId.clear();
  });

  it('is resized with the keyboard', async () => {
    render(MonitorDock);
    await put(song);
    await open();
    const handle = screen.getByRole('separator');
    const before = Number(handle.getAttribute('aria-valuenow'));
    await fireEvent.keyDown(handle, { key: 'ArrowUp' });
    expect(Number(handle.getAttribute('aria-valuenow'))).toBe(before + 24);
  });
});
