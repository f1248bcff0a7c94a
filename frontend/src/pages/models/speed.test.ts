import { beforeEach, describe, expect, it } from 'vitest';

import type { LetterRow } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';

import { text } from './messages';
import { expected, measured, speedOf } from './speed';

const GB = 1e9;
const letter = (more: Partial<LetterRow>): LetterRow => ({
  id: '1',
  role: 'planner',
  provider: 'ollama',
  at: '',
  ms: 11_000,
  firstTokenMs: 1000,
  tokensOut: 100,
  attempt: 1,
  request: 'r',
  ...more,
});
const four = { name: 'qwen3:4b', bytes: 2.5 * GB, embedding: false };

describe('how quick a model will be', () => {
  beforeEach(() => void (language.current = 'ko'));

  it('is expected of its size and of how many cores read it', () => {
    expect(expected(2.5 * GB, 2)).toEqual({ rate: 4, measured: false, slow: true });
    expect(expected(0.8 * GB, 2)?.slow).toBe(false);
    expect(expected(2.5 * GB, 64)?.rate).toBe(10); // memory gives no more
    expect(expected(0, 2)).toBeUndefined();
  });

  it('is what was seen, once it has really answered', () => {
    const rows = [
      letter({ model: 'qwen3:4b' }),
      letter({ model: 'qwen3:4b', tokensOut: 300, ms: 11_000 }),
      letter({ model: 'qwen3:4b', tokensOut: 900, recalled: true }),
      letter({ model: 'qwen3:4b', tokensOut: 2 }),
      letter({ model: 'qwen3:4b', tokensOut: 900, error: 'canceled' }),
      letter({ model: 'other', tokensOut: 900 }),
    ];
    expect(measured(rows, 'qwen3:4b')).toEqual({ rate: 20, measured: true, slow: false });
    expect(measured([letter({ model: 'x:latest' })], 'x')?.rate).toBe(10);
    expect(speedOf(four, rows, true, 2)?.measured).toBe(true);
    expect(speedOf(four, [], true, 2)?.measured).toBe(false);
    expect(speedOf(four, [], false, 2)).toBeUndefined(); // another computer's cores are not known
    expect(speedOf({ ...four, embedding: true }, rows, true, 2)).toBeUndefined();
  });

  it('is said in words', () => {
    const slow = expected(2.5 * GB, 2);
    const seen = measured([letter({ model: 'x' })], 'x');
    if (!slow || !seen) throw new Error('no speed');
    expect(text.writes(slow)).toBe(
      '그래픽 카드가 없으면 느려요: 초당 4토큰쯤, 긴 답에는 1분 40초쯤 걸려요.',
    );
    expect(text.writes({ rate: 12.4, measured: false, slow: false })).toBe(
      '그래픽 카드가 없어도 초당 12토큰쯤 써요.',
    );
    expect(text.writes(seen)).toBe('이 모델이 실제로 답한 속도: 초당 10토큰.');
    language.current = 'en';
    expect(text.writes(slow)).toContain(
      'about 4 tokens a second, a long answer takes about 1m 40s',
    );
    expect(text.writes({ rate: 0.4, measured: true, slow: true })).toContain('0.4 tokens a second');
  });
});
