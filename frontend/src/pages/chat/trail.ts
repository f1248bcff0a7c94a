/** The library's tools by what they do. A trail is in the language of its question, whatever the window speaks. */
const tools: Record<string, { ko: string; en: string }> = {
  hybrid_search: { ko: '대목 찾기', en: 'search for passages' },
  get_article_by_index: { ko: '조문 번호로 찾기', en: 'article by its number' },
  get_article_by_title: { ko: '조문 제목으로 찾기', en: 'article by its title' },
  lookup_standard_contract: {
    ko: '표준계약서와 견주기',
    en: 'comparison with the standard contract',
  },
};

/** A step of a trail in people's words. */
export function stepInWords(step: string): string {
  const lang = /[가-힣]/.test(step) ? 'ko' : 'en';
  return step.replace(/[a-z]+(?:_[a-z]+)+/g, (key) => tools[key]?.[lang] ?? key);
}
