import type { event } from '$lib/api/types';
import { size } from '$lib/i18n/format';

import { talkText as t } from './talkMessages';

/** Where an attachment was read of an outside server, or whose prompt it is; '' for a file. */
export const cameFrom = (a: event.Attachment): string =>
  !a.from
    ? ''
    : a.from.prompt
      ? t.cameFromPrompt(a.from.title || a.from.server, a.from.prompt)
      : t.cameFrom(a.from.title || a.from.server, a.from.address);

/** What is known of an attachment besides its name: how large a picture is, how many pages, how many bytes. */
export function attachmentFacts(a: event.Attachment): string {
  const facts = [size(a.bytes)];
  if (a.width && a.height) facts.unshift(`${a.width}×${a.height}`);
  else if (a.pages && a.pages > 1) facts.unshift(t.pages(a.pages));
  return facts.join(' · ');
}
