// Puts the picture of a diagram over its text.
import { Later } from './later.svelte';

const diagrams = new Later(() => import('./diagram'));

interface Labels {
  drawn: string;
  undrawn: string;
  text: string;
}

/** Draws the diagram whose text stands below a place. What cannot be drawn stays a text, and that is said. */
export async function draw(place: HTMLElement, labels: Labels): Promise<void> {
  const block = place.closest<HTMLElement>('.diagram');
  const source = block?.querySelector('code')?.textContent ?? '';
  if (!block || place.childElementCount) return;
  const dark = document.documentElement.dataset['theme'] !== 'light';
  const address = await diagrams
    .ready()
    .then(({ diagram }) => diagram(source, dark))
    .catch(() => undefined);
  if (place.childElementCount) return; // somebody else was as quick
  if (!address) {
    const said = document.createElement('p');
    said.className = 'undrawn';
    said.textContent = labels.undrawn;
    place.replaceChildren(said);
    return;
  }
  const picture = document.createElement('img');
  picture.alt = labels.drawn;
  picture.src = address;
  const more = document.createElement('button');
  more.type = 'button';
  more.className = 'code-more';
  more.textContent = labels.text;
  more.setAttribute('aria-expanded', 'false');
  place.replaceChildren(picture);
  block.querySelector('.code-more')?.remove();
  block.append(more);
  block.classList.remove('folded');
  block.classList.add('drawn');
}
