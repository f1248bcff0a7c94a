/** Only what a browser may open: http or https, with no name before an @ that could be taken for the place it leads to. */
export function safeAddress(address: string): string | undefined {
  try {
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
    return url.username || url.password ? undefined : url.href;
  } catch {
    return undefined;
  }
}
