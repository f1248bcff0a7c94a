/** The files of this computer in a list of addresses, as the clipboard has it (RFC 2483). */
export function pathsOf(list: string): string[] {
  const paths: string[] = [];
  for (const line of list.split(/\r?\n/)) {
    if (!line.startsWith('file://')) continue;
    try {
      const { pathname } = new URL(line);
      const path = decodeURIComponent(pathname);
      paths.push(/^\/[A-Za-z]:/.test(path) ? path.slice(1) : path);
    } catch {
      // no address that anybody can read
    }
  }
  return paths;
}
