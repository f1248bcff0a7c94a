import { describe, expect, it } from 'vitest';

import { text } from './messages';

describe('the line about meaning', () => {
  const vectors = { state: 'embedding', model: 'ollama/bge-m3', done: 199, total: 200 } as const;

  it('says how far it is, and never 100 before the end', () => {
    expect(text.vectors(vectors)).toContain('99');
    expect(text.vectors({ ...vectors, done: 0, total: 0 })).toContain('0');
  });

  it('says why only words count', () => {
    expect(text.vectors({ ...vectors, state: 'off', problem: '임베딩 모델이 없어요.' })).toBe(
      '임베딩 모델이 없어요.',
    );
    expect(text.vectors({ ...vectors, state: 'off' })).not.toBe('');
  });

  it('says what it waits for', () => {
    const line = text.vectors({ ...vectors, state: 'waiting', problem: '모델이 없어요.' });
    expect(line).toContain('모델이 없어요.');
    expect(line).toContain('99');
  });
});
