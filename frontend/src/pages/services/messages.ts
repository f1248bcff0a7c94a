import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    title: '창구',
    intro:
      '빈칸을 채워 신청하는 일들이에요. 값은 손님의 말에서만 가져오고, 확인은 손님만 할 수 있어요.',
    loading: '창구를 둘러보고 있어요.',
    failed: '창구를 읽지 못했어요.',
    again: '다시 시도',
    try: '이렇게 말해 보세요',
    slots: '빈칸',
    required: '꼭 필요해요',
    yours: '직접 만든 창구',
    refused: '쓸 수 없는 창구',
    line: (file: string, line: number) => `${file}의 ${line}번째 줄`,
    own: '창구를 새로 만들려면 데이터 폴더의 services 폴더에 파일 하나를 넣어 주세요. 소스에서는 make new-service NAME=이름 으로 틀을 복사할 수 있어요.',
  },
  en: {
    title: 'Counter',
    intro:
      'Work that begins with a form. Values come from your own words only, and only you can confirm.',
    loading: 'Looking around.',
    failed: 'The counter could not be read.',
    again: 'Try again',
    try: 'Try saying',
    slots: 'Fields',
    required: 'needed',
    yours: 'Made by you',
    refused: 'Cannot be used',
    line: (file: string, line: number) => `${file}, line ${line}`,
    own: 'To open a counter of your own, put one file into the services folder of your data folder. From the source, make new-service NAME=name copies a template.',
  },
});
