import { MediaQuery } from 'svelte/reactivity';

import { shop } from '$stores/shop.svelte';

const system = new MediaQuery('(prefers-color-scheme: dark)');
const more = new MediaQuery('(prefers-contrast: more)');

/** The look of the window now: as chosen, or as the system is. */
export function look(): 'light' | 'dark' | 'contrast' {
  const theme = shop.settings.theme;
  if (theme !== 'system') return theme;
  if (more.current) return 'contrast';
  return system.current ? 'dark' : 'light';
}

/** Whether the window is dark now. */
export const dark = (): boolean => look() !== 'light';
