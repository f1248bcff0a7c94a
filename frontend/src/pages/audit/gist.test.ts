import { expect, it } from 'vitest';

import { language } from '$lib/i18n/index.svelte';

import { gist } from './gist';

const transfer = {
  properties: { target: { 'x-slot': 'name' }, amount: { 'x-slot': 'money' }, memo: {} },
};

it('says whom and how much', () => {
  language.current = 'ko';
  expect(gist({ amount: 10000, target: '엄마' }, transfer)).toBe('엄마 · 10,000원');
  expect(gist({ path: '문서/메모.txt', mode: 'append' }, undefined)).toBe('문서/메모.txt · append');
  expect(gist({ text: 'a\nb'.repeat(100) }, undefined).length).toBeLessThan(100);
  expect(gist(null, transfer)).toBe('');
});
