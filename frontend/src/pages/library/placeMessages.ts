import type { extract } from '$lib/api/types';
import { messages } from '$lib/i18n/index.svelte';

/** Where in a document something stands, as the document counts. */
export function place(unit: extract.Unit | undefined, n: number): { ko: string; en: string } {
  switch (unit) {
    case 'sheet':
      return { ko: `시트 ${n}`, en: `sheet ${n}` };
    case 'slide':
      return { ko: `슬라이드 ${n}`, en: `slide ${n}` };
    case 'chapter':
      return { ko: `${n}번째 장`, en: `chapter ${n}` };
    case 'part':
      return { ko: `메일의 ${n}번째 부분`, en: `part ${n} of the mail` };
    default:
      return { ko: `${n}쪽`, en: `p. ${n}` };
  }
}

export const text = messages({
  ko: {
    page: (n: number, unit?: extract.Unit) => place(unit, n).ko,
  },
  en: {
    page: (n: number, unit?: extract.Unit) => place(unit, n).en,
  },
});
