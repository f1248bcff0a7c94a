/** What a Markdown text says, without its marks: for one line of a list. */
export function plain(text: string): string {
  return text
    .replace(/^\s*(?:`{3,}|~{3,}).*$/gm, ' ')
    .replace(/^\s*\|?\s*:?-{3,}[\s|:-]*$/gm, ' ')
    .replace(/^\s{0,3}(?:#{1,6}|>+|[-*+]|\d{1,9}[.)])\s+/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`+)(\S(?:.*?\S)?)\1/g, '$2')
    .replace(/(^|[^\p{L}\p{N}*])\*(\S(?:[^*\n]*\S)?)\*(?![\p{L}\p{N}*])/gu, '$1$2')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
