import { scale } from '$lib/scale.svelte';
import { shop } from '$stores/shop.svelte';
import { attempt } from '$stores/toasts.svelte';

const SIZES = [80, 90, 100, 110, 125, 150, 175, 200];

const steps: Record<string, 1 | -1 | 0> = {
  Equal: 1,
  NumpadAdd: 1,
  Minus: -1,
  NumpadSubtract: -1,
  Digit0: 0,
  Numpad0: 0,
};
const signs: Record<string, 1 | -1 | 0> = { '+': 1, '=': 1, '-': -1, '0': 0 };

/** The size that comes after the one there is: larger, smaller, or as it was at first. */
export function nextSize(now: number, step: 1 | -1 | 0): number {
  if (step > 0) return SIZES.find((size) => size > now) ?? now;
  if (step < 0) return SIZES.findLast((size) => size < now) ?? now;
  return 100;
}

/** Ctrl with +, − or 0 changes how large letters are; it tells whether the key was one of these. The place of the key counts where a layout has another sign there. */
export function resizes(event: KeyboardEvent): boolean {
  const step = signs[event.key] ?? steps[event.code];
  if (step === undefined) return false;
  event.preventDefault();
  const size = nextSize(scale.percent, step);
  if (size !== scale.percent) void attempt(() => shop.settings.set({ text_size: size }));
  return true;
}
