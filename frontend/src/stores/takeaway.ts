import { api } from '$lib/api';
import type { Takeaway } from '$lib/api/types';

/** The longest name that is put into the dialog. */
const NAME = 60;

/** A text as the name of a file, without its ending. */
export const fileName = (text: string): string =>
  text
    .replace(/[\\/:*?"<>|\s]+/g, ' ')
    .trim()
    .slice(0, NAME)
    .replace(/[. ]+$/, '') || 'agent-chat';

/** The kinds of files that something can be saved as. */
export const formatsOf = (of: Takeaway): Promise<string[]> => api.exportFormats(of);

/** Asks where to and writes it there; '' when the person changed their mind. */
export const saveAs = (
  of: Takeaway,
  format: string,
  title: string,
  name: string,
): Promise<string> => api.export(of, format, '', title, fileName(name));
