import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    title: '창구',
    intro:
      '빈칸을 채워 신청하는 일들이에요. 값은 손님의 말에서만 가져오고, 확인은 손님만 할 수 있어요.',
    loading: '창구를 둘러보고 있어요.',
    failed: '창구를 읽지 못했어요.',
    try: '이렇게 말해 보세요. 누르면 바로 말해요.',
    slots: '빈칸',
    required: '꼭 필요해요',
    yours: '직접 만든 창구',
    builtin: '기본 창구',
    refused: '쓸 수 없는 창구',
    own: '내 창구 만들기',
    ownText: '이 폴더에 YAML 파일 하나를 넣으면 다음에 열 때 창구가 생겨요.',
    template: '소스 폴더에서 이 명령을 쓰면 가장 작은 틀이 그 폴더에 만들어져요.',
    copy: '복사',
    copyOf: (what: string) => `${what} 복사`,
  },
  en: {
    title: 'Counter',
    intro:
      'Work that begins with a form. Values come from your own words only, and only you can confirm.',
    loading: 'Looking around.',
    failed: 'The counter could not be read.',
    try: 'Try saying one of these. A click says it at once.',
    slots: 'Fields',
    required: 'needed',
    yours: 'Made by you',
    builtin: 'Built in',
    refused: 'Cannot be used',
    own: 'A counter of your own',
    ownText: 'Put one YAML file into this folder, and the counter is there the next time you open.',
    template: 'In the source folder, this command puts the smallest template there.',
    copy: 'Copy',
    copyOf: (what: string) => `Copy ${what}`,
  },
});
