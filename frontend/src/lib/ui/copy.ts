import { toasts } from '$stores/toasts.svelte';

import { uiText } from './messages';

/** How long it stands there that something was copied, in ms. */
const SHOWN_MS = 1800;

/**
 * Puts a text on the clipboard and says so in the corner; where the clipboard is not to be had, what to do instead. said '' leaves it
 * to the caller to say that it was copied, which the result tells.
 */
export async function copy(text: string, said: string = uiText.copied): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    toasts.show({ kind: 'error', text: uiText.notCopied });
    return false;
  }
  if (said) toasts.show({ kind: 'done', text: said }, SHOWN_MS);
  return true;
}
