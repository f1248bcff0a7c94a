import { describe, expect, it } from 'vitest';

import type { ServiceView } from '$lib/api/types';
import type { Of } from '$lib/events';

import { snapshot } from '../test/shapes';
import { Counter } from './counter.svelte';

const visit = (service: string, more: Partial<ServiceView> = {}): ServiceView => ({
  chat: 'main',
  service,
  title: service,
  stage: 'READY',
  slots: [],
  batch: { index: 1, total: 1, executed: 0, cancelled: 0, failed: 0 },
  buttons: [],
  ...more,
});

const turn = (stage: string, view?: ServiceView, service = 'transfer') =>
  ({
    seq: 1,
    time: '',
    kind: 'turn.done',
    chat: 'main',
    data: { state: { stage, slots: {}, meta: { view, service } } },
  }) as unknown as Of<'turn.done'>;

describe('the service counter', () => {
  it('shows what a snapshot knows and follows every turn', () => {
    const counter = new Counter();
    counter.load(snapshot({ service: [visit('transfer', { stage: 'FILLING' })] }));
    expect(counter.of('main')[0]?.stage).toBe('FILLING');
    counter.apply(turn('READY', visit('transfer')));
    expect(counter.of('main').map((v) => v.stage)).toEqual(['READY']);
    expect(counter.of('elsewhere')).toEqual([]);
  });

  it('ends a visit with its last stage, and keeps the one that waited below', () => {
    const counter = new Counter();
    counter.apply(turn('FILLING', visit('transfer', { stage: 'FILLING' })));
    counter.apply(turn('READY', visit('room'), 'room'));
    expect(counter.of('main').map((v) => v.service)).toEqual(['room', 'transfer']);
    counter.apply(turn('EXECUTED', undefined, 'room'));
    expect(counter.of('main').map((v) => v.service)).toEqual(['transfer']);
    counter.apply(turn('CANCELLED', undefined, 'transfer'));
    expect(counter.of('main')).toEqual([]);
  });

  it('is not disturbed by talk in between', () => {
    const counter = new Counter();
    counter.apply(turn('READY', visit('transfer')));
    counter.apply(turn('', undefined));
    expect(counter.of('main')).toHaveLength(1);
  });
});
