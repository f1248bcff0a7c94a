import { MediaQuery } from 'svelte/reactivity';

import { shop } from '$stores/shop.svelte';

const system = new MediaQuery('(prefers-color-scheme: dark)');

/** Whether the window is dark now: as chosen, or as the system is. */
export function dark(): boolean {
  const theme = shop.settings.theme;
  return theme === 'dark' || (theme === 'system' && system.current);
}
