import { expect, test } from 'vitest';

import { fileName } from './takeaway';

test('a title is a name that every system takes', () => {
  expect(fileName('부산 여행: 1/2?')).toBe('부산 여행 1 2');
  expect(fileName('끝.')).toBe('끝');
  expect(fileName(' \n ')).toBe('agent-chat');
  expect(fileName('가'.repeat(100))).toHaveLength(60);
});
