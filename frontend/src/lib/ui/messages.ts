import { messages } from '../i18n/index.svelte';

export const uiText = messages({
  ko: { close: '닫기', on: '켜짐', off: '꺼짐', notes: '알림', again: '다시 시도' },
  en: { close: 'Close', on: 'On', off: 'Off', notes: 'Notes', again: 'Try again' },
});
