import { messages } from '$lib/i18n/index.svelte';

export const boardText = messages({
  ko: {
    board: '전광판',
    worker: (n: number) => `일꾼 ${n}, `,
    idle: '다음 일을 기다려요',
    free: (n: number) => `쉬는 일꾼 ${n}`,
    place: (n: number) => `${n}번째 차례`,
    waiting: '기다림',
    queued: '대기열',
    more: (n: number) => `+${n} 더 보기`,
    noTitle: '일',
    counter: '창구',
    calls: '다른 곳에서 기다리는 것',
  },
  en: {
    board: 'Board',
    worker: (n: number) => `Worker ${n}, `,
    idle: 'Ready for the next job',
    free: (n: number) => `${n} free`,
    place: (n: number) => `No. ${n} in line`,
    waiting: 'Waiting',
    queued: 'Queued',
    more: (n: number) => `+${n} more`,
    noTitle: 'Job',
    counter: 'Counter',
    calls: 'Waiting for you elsewhere',
  },
});
