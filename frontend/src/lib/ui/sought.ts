import { view, type PageId } from '$stores/view.svelte';

/** Brings what a person was led to into view, and marks it for a moment. */
export const sought = (page: PageId, id: string) => (node: HTMLElement) => {
  if (view.target?.page !== page || view.target.id !== id) return;
  node.scrollIntoView({ block: 'center' });
  node.classList.add('sought');
  return () => node.classList.remove('sought');
};
