import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    imports: '넣는 중',
    progress: (done: number, total: number) => `${total}개 중 ${done}개`,
    cancel: '그만하기',
    endedOne: (file: string) => `${file} · 도서관에 넣었어요.`,
    ended: (added: number, duplicates: number, total: number) =>
      [
        ...(added ? [`${added}개를 넣었어요.`] : []),
        ...(duplicates
          ? [total === 1 ? '이미 도서관에 있는 문서예요.' : `${duplicates}개는 이미 있어요.`]
          : []),
        ...(added + duplicates ? [] : ['넣은 문서가 없어요.']),
      ].join(' '),
    canceled: (added: number, left: number) =>
      `그만뒀어요. ${added}개를 넣었고 ${left}개가 남았어요.`,
    resume: '이어서 넣기',
    putAway: '알림 접기',
    problems: (n: number) => `넣지 못한 파일 ${n}개`,
    partly: (n: number) => `일부만 읽은 파일 ${n}개`,
  },
  en: {
    imports: 'Being added',
    progress: (done: number, total: number) => `${done} of ${total}`,
    cancel: 'Stop',
    endedOne: (file: string) => `${file} · in the library now.`,
    ended: (added: number, duplicates: number, total: number) =>
      [
        ...(added ? [`${added} added.`] : []),
        ...(duplicates
          ? [total === 1 ? 'It is in the library already.' : `${duplicates} were there already.`]
          : []),
        ...(added + duplicates ? [] : ['Nothing was added.']),
      ].join(' '),
    canceled: (added: number, left: number) => `Stopped. ${added} added, ${left} left out.`,
    resume: 'Continue',
    putAway: 'Close this notice',
    problems: (n: number) => `${n} ${n === 1 ? 'file was' : 'files were'} not taken`,
    partly: (n: number) => `${n} ${n === 1 ? 'file was' : 'files were'} read in part`,
  },
});
