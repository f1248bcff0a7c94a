import { expect, it } from 'vitest';

import { stepInWords } from './trail';

it.each([
  ['공구: get_article_by_index', '공구: 조문 번호로 찾기'],
  [
    'Tools: hybrid_search, lookup_standard_contract',
    'Tools: search for passages, comparison with the standard contract',
  ],
  ['공구: some_other', '공구: some_other'],
])('says %s in words', (step, want) => {
  expect(stepInWords(step)).toBe(want);
});
