// How each state looks and is called, everywhere the same: icon, word and colour, never colour alone.
import Ban from '@lucide/svelte/icons/ban';
import Check from '@lucide/svelte/icons/check';
import CircleDashed from '@lucide/svelte/icons/circle-dashed';
import Clock from '@lucide/svelte/icons/clock';
import Hand from '@lucide/svelte/icons/hand';
import Hourglass from '@lucide/svelte/icons/hourglass';
import Moon from '@lucide/svelte/icons/moon';
import Play from '@lucide/svelte/icons/play';
import X from '@lucide/svelte/icons/x';
import type { Component } from 'svelte';

import type { JobState, TodoState } from './api/types';
import { messages } from './i18n/index.svelte';

const words = messages({
  ko: {
    idle: '쉬는 중',
    queued: '대기열',
    running: '하는 중',
    waiting: '기다리는 중',
    succeeded: '끝',
    failed: '실패',
    canceled: '취소됨',
    needsYou: '확인 필요',
  },
  en: {
    idle: 'Idle',
    queued: 'Queued',
    running: 'Working',
    waiting: 'Waiting',
    succeeded: 'Done',
    failed: 'Failed',
    canceled: 'Canceled',
    needsYou: 'Needs you',
  },
});

export type StateName = JobState | 'idle' | 'needsYou';

export const stateIcons: Record<StateName, Component> = {
  idle: Moon,
  queued: Clock,
  running: Play,
  waiting: Hourglass,
  needsYou: Hand,
  succeeded: Check,
  failed: X,
  canceled: Ban,
};

export const stateWord = (state: StateName): string => words[state];

export const todoIcons: Record<TodoState, Component> = {
  pending: CircleDashed,
  running: Play,
  waiting: Hourglass,
  done: Check,
  failed: X,
  skipped: Ban,
};
