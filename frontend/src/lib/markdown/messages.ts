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
  },
  en: {
    copy: 'Copy',
    more: 'Show all',
    less: 'Show less',
    drawn: 'A diagram drawn from the text below.',
    undrawn: 'This diagram could not be drawn, so here is its text.',
    text: 'As text',
    picture: 'Picture: ',
  },
});
