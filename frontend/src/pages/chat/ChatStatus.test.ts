import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { language } from '$lib/i18n/index.svelte';
import { Chat } from '$stores/chat.svelte';
import { shop } from '$stores/shop.svelte';
import { snapshot } from '../../test/shapes';

import ChatStatus from './ChatStatus.svelte';

describe('what a chat waits for', () => {
  let chat: Chat;
  const line = () => {
    flushSync();
    return screen.getByRole('status').textContent?.trim();
  };

  beforeEach(() => {
    language.current = 'ko';
    shop.provider.load(snapshot());
    chat = new Chat('main');
    render(ChatStatus, { chat });
  });

  it('is one line: the place in line, then the loading, then the role', () => {
    expect(line()).toBe('');
    chat.turn(true, new Date().toISOString());
    expect(line()).toBe('읽고 있어요');
    chat.activity = '계획을 세우고 있어요';
    expect(line()).toBe('계획을 세우고 있어요');
    const loading = {
      provider: 'ollama',
      model: 'm',
      health: 'starting',
      reason: 'loading',
    } as const;
    shop.provider.load(snapshot({ provider: loading }));
    expect(line()).toBe('모델을 메모리에 올리는 중');
    chat.place = 2;
    expect(line()).toBe('모델 차례를 기다리는 중 · 2번째');
  });

  it('is silent while the reply itself grows, and when the turn is over', () => {
    chat.turn(true, new Date().toISOString());
    chat.write('r', '').text = 'Hel';
    expect(line()).toBe('');
    chat.drop(() => true);
    expect(line()).toBe('읽고 있어요');
    chat.turn(false);
    expect(line()).toBe('');
  });

  it('shows how long a long wait lasts, without reading it out', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    chat.turn(true, new Date(Date.now() - 12_000).toISOString());
    flushSync();
    const time = screen.getByRole('status').querySelector('.waited');
    expect(time?.textContent).toBe('12초');
    expect(time?.getAttribute('aria-hidden')).toBe('true');
    vi.useRealTimers();
  });

  it('says what a slow model reads and for how long, then how much it wrote, until the letter is answered', () => {
    chat.turn(true, new Date().toISOString());
    chat.activity = '계획을 세우고 있어요';
    const more = () => {
      flushSync();
      return [...screen.getByRole('status').querySelectorAll('.more')];
    };
    expect(more()).toEqual([]);
    chat.work = { read: 1850, seconds: 70 };
    expect(more()[0]?.textContent).toBe('1,850토큰을 읽어요, 약 1분 10초');
    expect(line()).toContain('계획을 세우고 있어요');
    chat.work = { read: 1850 };
    expect(more()[0]?.textContent).toBe('1,850토큰을 읽어요');
    chat.work = { wrote: 34 };
    expect(more().map((m) => m.textContent)).toEqual(['34토큰을 썼어요']);
    expect(more()[0]?.getAttribute('aria-hidden')).toBe('true');
    language.current = 'en';
    expect(more()[0]?.textContent).toBe('34 tokens written');
    chat.place = 1;
    expect(more()).toEqual([]);
    chat.turn(false);
    expect(chat.work).toBeUndefined();
  });
});
