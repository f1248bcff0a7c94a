import { messages } from '$lib/i18n/index.svelte';

export const text = messages({
  ko: {
    title: '창구',
    intro:
      '빈칸을 채워 신청하는 일들이에요. 값은 손님의 말에서만 가져오고, 확인은 손님만 할 수 있어요. 아래의 말을 누르면 바로 말해요.',
    loading: '창구를 둘러보고 있어요.',
    failed: '창구를 읽지 못했어요.',
    slots: '빈칸',
    required: '꼭 필요해요',
    yours: '직접 만든 창구',
    builtin: '기본 창구',
    refused: '쓸 수 없는 창구',
    own: '내 창구 만들기',
    ownText:
      '받은 창구 파일을 이 폴더에 넣으면 다음에 열 때 창구가 생겨요. 만드는 법은 문서의 창구 장에 있어요.',
    copy: '복사',
    copyOf: (what: string) => `${what} 복사`,
    agenda: '일정 파일',
    agendaText: '적어 둔 일정과 할 일을 다른 달력의 파일(.ics)로 내보내고, 그런 파일에서 들여와요.',
    exportEvents: '내보내기',
    importEvents: '들여오기',
    exportTitle: '일정 내보내기',
    importTitle: '일정 들여오기',
    exported: (n: number) => `${n}건을 파일에 적었어요.`,
  },
  en: {
    title: 'Counter',
    intro:
      'Work that starts with a form. It is filled in only from your own words, and only you can confirm it. Click a sentence to say it.',
    loading: 'Loading the counter.',
    failed: 'The counter could not be read.',
    slots: 'Fields',
    required: 'needed',
    yours: 'Made by you',
    builtin: 'Built-in',
    refused: 'Cannot be used',
    own: 'A counter of your own',
    ownText:
      'Put the file of a counter into this folder, and it is here at the next start. The documentation explains how to make one.',
    copy: 'Copy',
    copyOf: (what: string) => `Copy ${what}`,
    agenda: 'Calendar file',
    agendaText:
      'Saves what is on the list in a file that other calendars read, and brings in what such a file holds.',
    exportEvents: 'Export',
    importEvents: 'Import',
    exportTitle: 'Export events',
    importTitle: 'Import events',
    exported: (n: number) => `${n} written into the file.`,
  },
});
