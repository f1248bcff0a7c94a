import { expect, it } from 'vitest';

import type { Holder, Rack } from '$lib/api/types';

import { atFirst, inOrder } from './examples';
import { params } from './schema';
import { count, panels, rackState, slots } from './wall';

const rack = (tool: string, more: Partial<Rack> = {}): Rack => ({
  tool,
  title: { ko: tool, en: tool },
  capacity: 1,
  confirm: 'never',
  effect: 'read',
  holders: [],
  waiting: [],
  ...more,
});
const held = (jobId: string, tool = 'nav'): Holder => ({
  jobId,
  tool,
  since: '2026-01-01T00:00:00Z',
});

it('tells free, out and locked apart', () => {
  expect(rackState(rack('nav'))).toBe('free');
  expect(rackState(rack('nav', { holders: [held('j')] }))).toBe('out');
  expect(rackState(rack('movie', { blockedBy: [held('j')] }))).toBe('locked');
  expect(rackState(rack('song', { capacity: 2, holders: [held('j', 'song')] }))).toBe('out');
  expect(rackState(rack('weather', { capacity: 0, holders: [held('j', 'weather')] }))).toBe('free');
});

it('draws a hook for each of a tool, taken ones first', () => {
  const song = rack('song', { capacity: 2, holders: [held('j', 'song')] });
  expect(slots(song).slots.map((s) => s.holder?.jobId)).toEqual(['j', undefined]);
  expect(slots(rack('weather', { capacity: 0 })).slots).toHaveLength(1);
  expect(slots(rack('x', { capacity: 40 }))).toMatchObject({ more: 34 });
  const shrunk = rack('song', { capacity: 1, holders: [held('a'), held('b')] });
  expect(slots(shrunk).slots).toHaveLength(2);
});

it('draws one frame round the tools of a group', () => {
  const racks = [
    rack('clock', { capacity: 0 }),
    rack('movie', { group: 'MonitorBox' }),
    rack('nav', { group: 'MonitorBox' }),
    rack('song', { group: 'SongPool' }),
  ];
  const groups = ['SongPool', 'MonitorBox', 'Nothing'].map((group) => ({
    group,
    capacity: 1,
    tools: [],
    holders: [],
  }));
  expect(panels(racks, groups).map((p) => [p.group?.group, p.racks.map((r) => r.tool)])).toEqual([
    ['MonitorBox', ['movie', 'nav']],
    ['SongPool', ['song']],
    [undefined, ['clock']],
  ]);
});

it('counts what can really be taken', () => {
  const racks = [
    rack('nav', { holders: [held('a')] }),
    rack('movie', { blockedBy: [held('a')], waiting: [{ jobId: 'b', place: 1 }] }),
    rack('song', { capacity: 2 }),
    rack('weather', { capacity: 0, holders: [held('c')] }),
  ];
  expect(count(racks)).toEqual({ free: 2, out: 2, waiting: 1 });
});

it('offers requests in the language of the window first, each once', () => {
  const examples = ['play a song', '노래 불러줘', 'play a song', '한 곡 더'].map((text) => ({
    text,
  }));
  expect(inOrder(examples, 'ko')).toEqual(['노래 불러줘', '한 곡 더', 'play a song']);
  expect(inOrder(examples, 'en')).toEqual(['play a song', '노래 불러줘', '한 곡 더']);
  expect(atFirst(inOrder(examples, 'en'), 'en')).toBe(1);
  expect(atFirst(['노래 불러줘', '한 곡 더'], 'en')).toBe(2);
});

it('reads the arguments out of a schema', () => {
  const schema = {
    type: 'object',
    properties: {
      from: { type: ['string', 'null'], description: 'start' },
      to: { type: 'string', 'x-name': { ko: '도착', en: 'goal' } },
      mode: { enum: ['walk', 'drive'], 'x-values': { walk: { ko: '걸어서', en: 'on foot' } } },
    },
    required: ['to'],
  };
  expect(params(schema, 'en')).toEqual([
    { name: 'to', label: 'goal', type: 'string', required: true, description: '', choices: [] },
    {
      name: 'from',
      label: 'from',
      type: 'string',
      required: false,
      description: 'start',
      choices: [],
    },
    {
      name: 'mode',
      label: 'mode',
      type: 'any',
      required: false,
      description: '',
      choices: [
        { value: 'walk', label: 'on foot' },
        { value: 'drive', label: 'drive' },
      ],
    },
  ]);
  // What a stranger calls its arguments is not shown in their place.
  expect(params(schema, 'en', true).map((p) => p.label)).toEqual(['to', 'from', 'mode']);
  expect(params(schema, 'en', true)[2]?.choices[0]?.label).toBe('walk');
  expect(params(undefined, 'en')).toEqual([]);
  expect(params({ type: 'object' }, 'en')).toEqual([]);
});
