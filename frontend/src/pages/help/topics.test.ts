import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Spec } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';

import { pages } from '../registry';
import { text } from './messages';
import { manualsOf, topics } from './topics';

const tools = join(import.meta.dirname, '../../../../backend/tools');

/** The manuals as the shop carries them. */
const manuals = readdirSync(tools, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json') && !file.includes('testdata'))
  .map((file) => JSON.parse(readFileSync(join(tools, file), 'utf8')) as Partial<Spec>)
  .filter((manual): manual is Spec => manual.key !== undefined);

test('every tool of the shop is told of on one page, and no page tells of a tool that is not there', () => {
  const told = topics.flatMap((topic) => topic.tools);
  expect([...told].sort()).toEqual(manuals.map((manual) => manual.key).sort());
});

test('what no page names is on the one of all others', () => {
  const stranger = { ...manuals[0], key: 'lent_by_another' } as Spec;
  const other = topics.find((topic) => topic.id === 'other');
  expect(other && manualsOf(other, [...manuals, stranger])).toEqual([stranger]);
});

test.each(['ko', 'en'] as const)('every page and every room is told of (%s)', (lang) => {
  language.current = lang;
  for (const { id } of topics) {
    expect(text[id].length, id).toBeGreaterThan(0);
    expect(text[`${id}Text`].length, id).toBeGreaterThan(0);
  }
  for (const { id } of pages) {
    const name = `room${id[0]?.toUpperCase()}${id.slice(1)}`;
    expect(text[name as 'roomChat'], name).toBeTruthy();
  }
});
