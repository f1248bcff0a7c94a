import type { PageId } from '$stores/view.svelte';

/** The page on which a person can mend what an error is about, by the error's code. */
const places: Partial<Record<PageId, readonly string[]>> = {
  permissions: [
    'no_folder',
    'folder_refused',
    'folder_readonly',
    'path_outside',
    'denied',
    'too_many_asks',
  ],
  models: ['provider_unreachable', 'provider_refused', 'model_missing', 'model_timeout'],
  toolbox: ['tool_off', 'shell_unavailable'],
  bank: ['unknown_payee', 'insufficient_balance', 'limit_exceeded', 'schedule_missing'],
  notes: ['note_missing', 'note_unclear'],
  library: ['document_refused', 'no_embedder'],
  settings: ['media_missing'],
};

const byCode = new Map(
  Object.entries(places).flatMap(([page, codes]) => codes.map((code) => [code, page as PageId])),
);

/** Where to go with an error; undefined when no page helps. */
export const remedyOf = (code: string | undefined): PageId | undefined =>
  code ? byCode.get(code) : undefined;
