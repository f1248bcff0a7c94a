import { messages } from '$lib/i18n/index.svelte';

export const helpText = messages({
  ko: {
    report: '진단 보고서',
    reportText:
      '도와줄 사람에게 필요한 사실만 담겨 있어요. 대화, 문서, 이름, 경로, 열쇠는 들어 있지 않아요. 아래에 보이는 것이 전부이고, 저장만 할 뿐 아무 데도 보내지 않아요.',
    making: '보고서를 만들고 있어요.',
    empty: '(비어 있음)',
    save: '파일로 저장',
    saved: (path: string) => `${path}에 저장했어요.`,
    close: '닫기',
    licences: '오픈 소스 라이선스',
    licencesText:
      '이 프로그램에 들어 있는 다른 사람들의 작품이에요. 누르면 라이선스 전문이 보여요.',
    seek: '이름이나 라이선스로 찾기',
    nothing: '맞는 것이 없어요.',
    reading: '불러오고 있어요.',
  },
  en: {
    report: 'Diagnostic report',
    reportText:
      'It holds technical facts only: no chats, documents, names, paths or keys. What you see below is all of it. It is saved where you choose and sent nowhere.',
    making: 'Making the report.',
    empty: '(empty)',
    save: 'Save as a file',
    saved: (path: string) => `Saved as ${path}.`,
    close: 'Close',
    licences: 'Open source licences',
    licencesText: 'The works by others in this program. Click one to read its licence.',
    seek: 'Find by name or licence',
    nothing: 'No matches.',
    reading: 'Loading the licences.',
  },
});
