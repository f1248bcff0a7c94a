/** Engines that know `field-sizing` let a box grow by themselves. */
const grows = typeof CSS !== 'undefined' && CSS.supports?.('field-sizing', 'content');

/** Lets a text box be as high as what is in it. To be run again whenever its text changes. */
export function autosize(box: HTMLTextAreaElement): void {
  if (grows) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}
