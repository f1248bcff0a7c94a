import { messages } from '../i18n/index.svelte';

export const uiText = messages({
  ko: {
    close: '닫기',
    on: '켜짐',
    off: '꺼짐',
    notes: '알림',
    again: '다시 시도',
    kept: '저장했어요',
    number: 'No.',
    copied: '복사했어요',
    notCopied: '복사하지 못했어요. 글을 골라서 직접 복사해 주세요.',
    stale: '지금은 새로 읽지 못해서 조금 전에 본 것을 보여 드려요.',
  },
  en: {
    close: 'Close',
    on: 'On',
    off: 'Off',
    notes: 'Notes',
    again: 'Try again',
    kept: 'Saved',
    number: 'No.',
    copied: 'Copied',
    notCopied: 'Could not copy. Please select the text and copy it yourself.',
    stale: 'This could not be refreshed just now. It shows what was here a moment ago.',
  },
});
