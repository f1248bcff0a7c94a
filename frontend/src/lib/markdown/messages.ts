import { messages } from '../i18n/index.svelte';

export const markdownText = messages({
  ko: {
    copy: '복사',
    more: '모두 보기',
    less: '접기',
    drawn: '그림으로 그린 도표예요. 글은 아래에 있어요.',
    undrawn: '그릴 수 없는 도표라서 글로 보여 드려요.',
    text: '글로 보기',
    picture: '그림: ',
    show: (host: string) => `${host}에서 그림 보기`,
    told: '주소에 적힌 것은 모두 그 서버에 전해져요.',
    fetching: '가져오는 중…',
  },
  en: {
    copy: 'Copy',
    more: 'Show all',
    less: 'Show less',
    drawn: 'A diagram drawn from the text below.',
    undrawn: 'This diagram could not be drawn, so here is its text.',
    text: 'As text',
    picture: 'Picture: ',
    show: (host: string) => `Show the picture from ${host}`,
    told: 'That server learns everything that is written in the address.',
    fetching: 'Fetching…',
  },
});
