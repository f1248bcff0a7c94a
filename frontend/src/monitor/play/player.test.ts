import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Media } from '$lib/api/types';

import { Player } from './player.svelte';

const play = { paused: false, repeat: false, volume: 80, muted: false, take: 0 };
const piece: Media = {
  action: 'open',
  device: 'deck1',
  kind: 'song',
  jobId: 'job-1',
  title: 'Night shift',
  url: 'http://127.0.0.1:1/a.wav',
  seconds: 60,
  position: 0,
  rate: 1,
  play,
};

describe('Player', () => {
  let element: HTMLAudioElement;
  const report = vi.fn();
  let start: ReturnType<typeof vi.fn<() => Promise<void>>>;

  beforeEach(() => {
    report.mockReset();
    element = document.createElement('audio');
    start = vi.fn<() => Promise<void>>().mockResolvedValue(undefined);
    element.play = start;
    element.pause = vi.fn();
    element.load = vi.fn();
    set({
      currentTime: 0,
      duration: 60,
      readyState: 4,
      paused: false,
      seeking: false,
      ended: false,
    });
  });
  afterEach(() => vi.useRealTimers());

  function set(values: Record<string, unknown>) {
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(element, name, { value, writable: true, configurable: true });
  }

  function made() {
    const player = new Player(element, report);
    player.attach();
    return player;
  }

  it('opens the file once and follows the clock', () => {
    const player = made();
    player.take(piece);
    player.take({ ...piece, action: 'progress', position: 30 });
    expect(start).toHaveBeenCalledTimes(1);
    expect(element.src).toBe(piece.url);
    expect(element.currentTime).toBe(30);
  });

  it('offers a button where playing by itself is forbidden', async () => {
    start.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
    const player = made();
    player.take(piece);
    await vi.waitFor(() => expect(player.trouble).toBe('blocked'));
    player.take({ ...piece, action: 'progress', position: 8 });
    expect(player.position).toBe(8);
    await player.play();
    expect(player.trouble).toBe('none');
  });

  it('starts by itself once a person did anything in the window', async () => {
    start.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'));
    const player = made();
    player.take(piece);
    await vi.waitFor(() => expect(player.trouble).toBe('blocked'));
    document.dispatchEvent(new Event('click'));
    await vi.waitFor(() => expect(player.trouble).toBe('none'));
    document.dispatchEvent(new Event('click'));
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('says when there is no file, or one it cannot play', () => {
    const player = made();
    player.take({ ...piece, url: undefined });
    expect(player.trouble).toBe('missing');
    player.take(piece);
    set({ error: { code: 4 } });
    vi.stubGlobal('MediaError', { MEDIA_ERR_ABORTED: 1, MEDIA_ERR_NETWORK: 2 });
    element.dispatchEvent(new Event('error'));
    expect(player.trouble).toBe('format');
    set({ error: { code: 2 } });
    element.dispatchEvent(new Event('error'));
    expect(player.trouble).toBe('broken');
    vi.unstubAllGlobals();
  });

  it('reports where it is about once a second, and the end, in real time only', () => {
    const player = made();
    player.take(piece);
    const now = vi.spyOn(performance, 'now');
    for (const [at, seconds] of [
      [1000, 1],
      [1250, 1.25],
      [2100, 2.1],
    ] as const) {
      now.mockReturnValue(at);
      set({ currentTime: seconds });
      element.dispatchEvent(new Event('timeupdate'));
    }
    expect(report.mock.calls).toEqual([
      [1, 60, false, 0],
      [2.1, 60, false, 0],
    ]);
    element.dispatchEvent(new Event('ended'));
    expect(report).toHaveBeenLastCalledWith(2.1, 60, true, 0);

    report.mockReset();
    player.take({ ...piece, rate: 60 });
    element.dispatchEvent(new Event('timeupdate'));
    element.dispatchEvent(new Event('ended'));
    expect(report).not.toHaveBeenCalled();
  });

  it('is silent at a pace no ear can follow', () => {
    const player = made();
    player.take({ ...piece, rate: 60 });
    player.loud(30, false);
    expect(player.silent).toBe(true);
    expect(element.muted).toBe(true);
    player.take({ ...piece, rate: 1 });
    player.loud(30, false);
    expect(element.muted).toBe(false);
    expect(element.volume).toBe(0.3);
  });

  it('pauses and goes on as the shop says, and reports the take it plays', () => {
    const pause = vi.spyOn(element, 'pause');
    const player = made();
    player.take(piece);
    player.take({ ...piece, action: 'progress', position: 5, play: { ...play, paused: true } });
    expect(pause).toHaveBeenCalled();
    expect(start.mock.calls.length).toBe(1);
    player.take({ ...piece, action: 'progress', position: 5, play });
    expect(start.mock.calls.length).toBe(2);
    player.take({ ...piece, action: 'progress', position: 5, play });
    expect(start.mock.calls.length).toBe(2);
  });

  it('does not start what is paused, whoever clicks', async () => {
    const player = made();
    player.take({ ...piece, play: { ...play, paused: true } });
    await player.play();
    expect(start.mock.calls.length).toBe(0);
  });

  it('jumps with the clock, however near, and begins again what had ended', () => {
    const player = made();
    player.take(piece);
    set({ currentTime: 1, paused: true, ended: true });
    player.take({ ...piece, action: 'progress', position: 0, play: { ...play, take: 1 } });
    expect(element.currentTime).toBe(0);
    expect(start.mock.calls.length).toBe(2);
    set({ ended: false, paused: false });
    element.dispatchEvent(new Event('timeupdate'));
    expect(report).toHaveBeenLastCalledWith(0, 60, false, 1);
  });

  it('lets go of the file', () => {
    const player = new Player(element, report);
    const stop = player.attach();
    player.take(piece);
    stop();
    expect(element.hasAttribute('src')).toBe(false);
    element.dispatchEvent(new Event('ended'));
    expect(report).not.toHaveBeenCalled();
  });
});
