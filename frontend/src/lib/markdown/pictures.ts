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

/** Another chat is shown: what its pictures were is asked for anew. */
export const forgetPictures = (): void => fetched.clear();

/** Names the button of a picture's place, which the renderer could not, or puts the picture there that was asked for before. */
export function offer(place: HTMLElement, labels: Labels, fetchable: boolean): void {
  const [link, button] = [place.querySelector('a'), place.querySelector('button')];
  if (!link || !button) return;
  const known = fetched.get(link.href);
  if (known) {
    put(place, link, known);
  } else if (!fetchable) {
    button.remove();
  } else if (!button.ariaBusy) {
    button.textContent = labels.show(new URL(link.href).host);
    button.title = `${labels.told}\n${link.href}`;
  }
}

/** Fetches the picture of a place, as its button was pressed. */
export async function show(button: HTMLElement, labels: Labels, fetch: Fetch): Promise<void> {
  const place = button.closest<HTMLElement>('.picture');
  const link = place?.querySelector('a');
  if (!place || !link || button.ariaBusy) return;
  button.ariaBusy = 'true';
  button.textContent = labels.fetching;
  const picture = await fetch(link.href);
  button.ariaBusy = null;
  // Whoever has left the chat meanwhile is not told any more.
  if (!place.isConnected) return;
  if (picture) fetched.set(link.href, picture);
  const focused = document.activeElement === button;
  offer(place, labels, true);
  if (focused && picture) link.focus();
}

function put(place: HTMLElement, link: HTMLAnchorElement, address: string): void {
  const picture = document.createElement('img');
  picture.alt = link.textContent;
  picture.src = address;
  place.querySelector('button')?.remove();
  place.prepend(picture);
  place.classList.add('shown');
}
