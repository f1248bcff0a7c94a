import { beforeEach, expect, it, vi } from 'vitest';

import { forgetPictures, offer, show } from './pictures';
import { renderBlocks } from './render';

const labels = {
  show: (host: string) => `show from ${host}`,
  told: 'told',
  fetching: 'fetching',
};
const dot = 'data:image/jpeg;base64,AAAA';

/** The place of the one picture of a text, in the page. */
function place(text: string, fetchable = true): HTMLElement {
  document.body.innerHTML = renderBlocks(text).join('');
  const found = document.querySelector<HTMLElement>('.picture');
  if (!found) throw new Error('no place');
  offer(found, labels, fetchable);
  return found;
}

const button = (from: HTMLElement) => from.querySelector<HTMLElement>('button');

beforeEach(forgetPictures);

it('names the host, fetches once on a press, and puts the picture over its address', async () => {
  const there = place('![the sea](https://example.org/sea.png)');
  expect(there.querySelector('img')).toBeNull();
  expect(button(there)?.textContent).toBe('show from example.org');
  let come: (address: string) => void = () => undefined;
  const fetch = vi.fn(() => new Promise<string>((done) => (come = done)));
  const pressed = button(there);
  if (!pressed) throw new Error('no button');
  const shown = show(pressed, labels, fetch);
  await show(pressed, labels, fetch);
  expect(pressed.textContent).toBe('fetching');
  come(dot);
  await shown;
  expect(fetch.mock.calls).toEqual([['https://example.org/sea.png']]);
  expect(there.querySelector('img')).toMatchObject({ src: dot, alt: 'the sea' });
  expect(button(there)).toBeNull();
  expect(there.querySelector('a')?.href).toBe('https://example.org/sea.png');
});

it('is there again where the text is drawn anew, and asked for anew once the chat was left', async () => {
  const text = '![the sea](https://example.org/sea.png)';
  const pressed = button(place(text));
  if (pressed) await show(pressed, labels, () => Promise.resolve(dot));
  expect(place(text).querySelector('img')?.src).toBe(dot);
  forgetPictures();
  expect(place(text).querySelector('img')).toBeNull();
  expect(button(place(text))?.textContent).toBe('show from example.org');
});

it('comes where its text was drawn anew meanwhile, once, and not into another chat', async () => {
  const text = '![the sea](https://example.org/sea.png)';
  let come: (address: string) => void = () => undefined;
  const fetch = vi.fn(() => new Promise<string>((done) => (come = done)));
  const press = (there: HTMLElement) => {
    const pressed = button(there);
    if (!pressed) throw new Error('no button');
    return show(pressed, labels, fetch);
  };
  const shown = press(place(text));
  const anew = place(text);
  expect(button(anew)?.textContent).toBe('fetching');
  await press(anew);
  expect(fetch).toHaveBeenCalledTimes(1);
  come(dot);
  await shown;
  expect(anew.querySelector('img')?.src).toBe(dot);

  forgetPictures();
  const left = press(place(text));
  forgetPictures();
  const other = place(text);
  come(dot);
  await left;
  expect(other.querySelector('img')).toBeNull();
  expect(button(other)?.textContent).toBe('show from example.org');
});

it('tells where it comes from, for those who have no mouse too', () => {
  const there = place('![the sea](https://example.org/sea.png)');
  expect(button(there)?.dataset['tip']).toBe('told https://example.org/sea.png');
});

it('offers it again when it could not be had, and nothing where nobody fetches', async () => {
  const there = place('![the sea](https://example.org/sea.png)');
  const pressed = button(there);
  if (pressed) await show(pressed, labels, () => Promise.resolve(undefined));
  expect(button(there)?.textContent).toBe('show from example.org');
  expect(there.querySelector('img')).toBeNull();
  const alone = place('![the sea](https://example.org/sea.png)', false);
  expect(button(alone)).toBeNull();
  expect(alone.querySelector('a')).not.toBeNull();
});
