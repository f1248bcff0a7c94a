import { describe, expect, it } from 'vitest';

import type { PolicyRule, Spec } from '$lib/api/types';

import { alwaysAsked, argsOf, asked, draftOf, fitting, newRule, ruleOf } from './rules';

describe('a rule that is edited', () => {
  it.each<PolicyRule>([
    { tool: 'files_*', decision: 'deny', note: 'why' },
    { tool: 'a', decision: 'allow', when: [{ arg: 'x', op: 'is', value: 5 }] },
    { tool: 'a', decision: 'allow', when: [{ arg: 'x', op: 'is', value: '5' }] },
    { tool: 'a', decision: 'ask', when: [{ arg: 'x', op: 'is', value: false }] },
    { tool: 'a', decision: 'ask', when: [{ arg: 'x', op: '>', value: 30000 }] },
    { tool: 'a', decision: 'ask', when: [{ arg: 'x', op: 'within', value: '/home/me' }] },
  ])('comes back as it was: %j', (rule) => {
    expect(ruleOf(draftOf(rule))).toEqual(rule);
  });

  it('compares numbers with a number, and texts with a text', () => {
    const of = (op: string, value: string) =>
      ruleOf({ ...newRule(), tool: ' t ', when: [{ id: 1, arg: ' a ', op, value }] });
    expect(of('>=', ' 10 ').when).toEqual([{ arg: 'a', op: '>=', value: 10 }]);
    expect(of('>=', '3만원').when).toEqual([{ arg: 'a', op: '>=', value: '3만원' }]);
    expect(of('is', 'true').when).toEqual([{ arg: 'a', op: 'is', value: true }]);
    expect(of('is', '010').when).toEqual([{ arg: 'a', op: 'is', value: '010' }]);
    expect(of('like', 'true').when).toEqual([{ arg: 'a', op: 'like', value: 'true' }]);
    expect(of('is', 'x').tool).toBe('t');
  });

  it('begins with the decision that loosens nothing', () => {
    expect(newRule().decision).toBe('ask');
  });
});

describe('what the manuals ask about', () => {
  const spec = (key: string, more: Partial<Spec>) =>
    ({ key, effect: 'write', confirm: 'always', ...more }) as Spec;
  const tools = [
    spec('transfer', { counter: true }),
    spec('delete', { widest: 'once' }),
    spec('look', { effect: 'read', widest: 'once' }),
    spec('write', { widest: 'chat', confirm: 'first' }),
    spec('sing', { confirm: 'never' }),
  ];

  it('tells what nothing loosens from what a rule may loosen', () => {
    expect(alwaysAsked(tools).map((s) => s.key)).toEqual(['transfer', 'delete']);
    expect(asked(tools).map((s) => s.key)).toEqual(['look', 'write']);
  });
});

it('names the tools that a name with * stands for, and no other', () => {
  const tools = ['file_read', 'file_write', 'profile_x', 'a.b'].map((key) => ({ key }) as Spec);
  const keys = (pattern: string) => fitting(pattern, tools).map((tool) => tool.key);
  expect(keys('file_*')).toEqual(['file_read', 'file_write']);
  expect(keys('file_?ead')).toEqual(['file_read']);
  expect(keys('a.*')).toEqual(['a.b']);
  expect(keys('axb')).toEqual([]);
  expect(keys('(')).toEqual([]);
});

it('asks of several tools about any value that one of them has, once, by the name people know', () => {
  const tool = (en: string, properties: Record<string, unknown>) =>
    ({ title: { ko: '', en }, params: { type: 'object', properties } }) as unknown as Spec;
  const path = { 'x-name': { en: 'file' } };
  const args = argsOf(
    [
      tool('Read', { path, how: { enum: ['a', 'b'] }, as: { enum: ['x'] } }),
      tool('Write', { path, how: { enum: ['c'] }, as: { enum: ['x'] } }),
      tool('Send', { what: { 'x-name': { en: 'file' } } }),
    ],
    'en',
  );
  expect(args.map(({ name, label, choices }) => [name, label, choices.length])).toEqual([
    ['path', 'file (Read)', 0],
    ['how', 'how', 0],
    ['as', 'as', 1],
    ['what', 'file (Send)', 0],
  ]);
});
