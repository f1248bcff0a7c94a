import { messages } from '$lib/i18n/index.svelte';

export const slipText = messages({
  ko: {
    counter: '창구',
    slip: (title: string) => `${title} 신청서`,
    filling: '채우는 중',
    ready: '확인을 기다려요',
    confirmed: '처리하는 중',
    other: '준비 중',
    missing: '아직 비어 있어요',
    optional: '비워 둬도 돼요',
    batch: (index: number, total: number) => `${total}건 중 ${index}번째`,
    waits: (title: string) => `‘${title}’ 신청서는 이 일이 끝나면 이어서 해요.`,
  },
  en: {
    counter: 'Counter',
    slip: (title: string) => `${title} form`,
    filling: 'Filling in',
    ready: 'Waiting for your word',
    confirmed: 'Being done',
    other: 'Getting ready',
    missing: 'Still empty',
    optional: 'May stay empty',
    batch: (index: number, total: number) => `${index} of ${total}`,
    waits: (title: string) => `The form “${title}” goes on after this one.`,
  },
});
