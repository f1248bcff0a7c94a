import { messages } from '$lib/i18n/index.svelte';

export const boardText = messages({
  ko: {
    board: '전광판',
    worker: '일꾼 ',
    idle: '다음 일을 기다려요',
    place: (n: number) => `${n}번째 차례`,
    running: '하는 중',
    waiting: '기다림',
    queued: '대기열',
    more: (n: number) => `외 ${n}건`,
    noTitle: '일',
  },
  en: {
    board: 'Board',
    worker: 'Worker ',
    idle: 'Ready for the next job',
    place: (n: number) => `No. ${n} in line`,
    running: 'Working',
    waiting: 'Waiting',
    queued: 'Queued',
    more: (n: number) => `and ${n} more`,
    noTitle: 'Job',
  },
});
