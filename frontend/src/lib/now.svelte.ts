import { createSubscriber } from 'svelte/reactivity';

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, 1000);
  return () => clearInterval(timer);
});

/** The time now in ms. Whatever shows it is drawn again every second, for as long as it is shown. */
export function now(): number {
  subscribe();
  return Date.now();
}
