// Pictures that an answer names by their address: a place with a button, until a person asks for one.

/** Gives a picture as an address that holds it; undefined when it could not be had, which was said then. */
export type Fetch = (address: string) => Promise<string | undefined>;

interface Labels {
  show: (host: string) => string;
  told: string;
  fetching: string;
}

/** What was asked for, by address, while its chat is shown. */
const fetched = new Map<string, string>();

/** What is under way, by address. */
const coming = new Map<string, Promise<string | undefined>>();

/** Counts the chats that were shown: what comes for an earlier one is nobody's any more. */
let round = 0;

/** Another chat is shown: what its pictures were is asked for anew. */
export function forgetPictures(): void {
  round++;
  fetched.clear();
  coming.clear();
}

/** Names the button of a picture's place, which the renderer could not, or puts the picture there that was asked for before. */
export function offer(place: HTMLElement, labels: Labels, fetchable: boolean): void {
  const [link, button] = [place.querySelector('a'), place.querySelector('button')];
  if (!link || !button) return;
  const known = fetched.get(link.href);
  if (known) {
    put(place, link, known);
  } else if (!fetchable) {
    button.remove();
  } else if (coming.has(link.href)) {
    button.ariaBusy = 'true';
    button.textContent = labels.fetching;
  } else {
    button.ariaBusy = null;
    button.textContent = labels.show(new URL(link.href).host);
    button.dataset['tip'] = `${labels.told} ${link.href}`;
  }
}

/** Fetches the picture of a place, as its button was pressed. */
export async function show(button: HTMLElement, labels: Labels, fetch: Fetch): Promise<void> {
  const address = button.closest('.picture')?.querySelector('a')?.href;
  if (!address || coming.has(address)) return;
  const asked = round;
  const answer = fetch(address);
  coming.set(address, answer);
  for (const place of waiting(address)) offer(place, labels, true);
  const picture = await answer;
  // Whoever has left the chat meanwhile is not told any more.
  if (asked !== round) return;
  coming.delete(address);
  if (picture) fetched.set(address, picture);
  // The text may have been drawn anew meanwhile: what counts is where the address stands now.
  for (const place of waiting(address)) {
    const focused = place.contains(document.activeElement);
    offer(place, labels, true);
    if (focused && picture) place.querySelector('a')?.focus();
  }
}

/** The places of an address that have no picture yet. */
const waiting = (address: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('.picture:not(.shown)')].filter(
    (place) => place.querySelector('a')?.href === address && place.querySelector('button'),
  );

function put(place: HTMLElement, link: HTMLAnchorElement, address: string): void {
  const picture = document.createElement('img');
  picture.alt = link.textContent;
  picture.src = address;
  place.querySelector('button')?.remove();
  place.prepend(picture);
  place.classList.add('shown');
}
