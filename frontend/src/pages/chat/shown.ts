import { GUARD_MS } from '../../ask/guard.svelte';

/** Tells whether a card has been in sight long enough to be read: a typed yes is to that one, and to no other. */
export const shown = (tell: (read: boolean) => void) => (node: HTMLElement) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const see = (insight: boolean) => {
    clearTimeout(timer);
    if (insight) timer = setTimeout(() => tell(true), GUARD_MS);
    else tell(false);
  };
  if (typeof IntersectionObserver === 'undefined') see(true);
  const observer =
    typeof IntersectionObserver === 'undefined'
      ? undefined
      : new IntersectionObserver((all) => see(all.at(-1)?.isIntersecting ?? false));
  observer?.observe(node);
  return () => {
    observer?.disconnect();
    clearTimeout(timer);
    tell(false);
  };
};
