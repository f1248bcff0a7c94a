import { messages } from '$lib/i18n/index.svelte';

const ko: Record<string, string> = {
  pdf: 'PDF',
  docx: '워드 문서',
  html: '웹 페이지',
  md: '마크다운',
  xlsx: '표만 엑셀로',
  csv: '표만 CSV로',
  json: 'JSON (프로그램용)',
  zip: '마크다운과 JSON, 첨부까지 (ZIP)',
};
const en: Record<string, string> = {
  pdf: 'PDF',
  docx: 'Word document',
  html: 'Web page',
  md: 'Markdown',
  xlsx: 'Tables as Excel',
  csv: 'Tables as CSV',
  json: 'JSON (for programs)',
  zip: 'Markdown, JSON, attachments (ZIP)',
};

export const takeawayText = messages({
  ko: {
    save: '파일로 내보내기',
    title: '저장할 곳',
    saved: (path: string) => `저장했어요: ${path}`,
    looking: '무엇으로 저장할 수 있는지 보고 있어요',
    format: (key: string) => ko[key] ?? key,
  },
  en: {
    save: 'Export to a file',
    title: 'Where to save it',
    saved: (path: string) => `Saved: ${path}`,
    looking: 'Checking what it can be saved as',
    format: (key: string) => en[key] ?? key,
  },
});
