/** The name of a file, without its folders, on any system. */
export const fileName = (path = ''): string => path.split(/[\\/]/).at(-1) ?? '';
