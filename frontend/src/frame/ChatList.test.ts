import { fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { Project } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { toasts } from '$stores/toasts.svelte';
import { snapshot } from '../test/shapes';

import ChatList from './ChatList.svelte';

const folder = (more: Partial<Project> = {}): Project => ({
  ...{ id: 'f', title: 'Home', instructions: '', model: '', folders: [], shelves: [] },
  ...{ folder: true, folded: false },
  ...more,
});

beforeEach(() => {
  language.current = 'en';
  const updated = '2026-01-02T03:00:00Z';
  const chats = [
    { id: 'a', title: 'Rent', updated, project: 'f', instructions: 'short', messages: [] },
    { id: 'b', title: 'Trip', updated, messages: [] },
  ];
  shop.chats.load(snapshot({ chats }));
  shop.projects.list = [folder()];
  vi.spyOn(api, 'saveProject').mockImplementation((p) => Promise.resolve(p));
  vi.spyOn(api, 'projects').mockImplementation(() => Promise.resolve(shop.projects.list));
  vi.spyOn(api, 'removeProject').mockResolvedValue();
  vi.spyOn(api, 'setChat').mockResolvedValue();
  // Nothing has a place on a page that is never drawn.
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList);
});
afterEach(() => {
  toasts.list = [];
  vi.restoreAllMocks();
});

const head = () => screen.getByRole('button', { name: /^Home(?!:)/ });

it('folds a folder by click and by arrow keys, and says so to those who listen', async () => {
  render(ChatList);
  expect(head().getAttribute('aria-expanded')).toBe('true');
  await fireEvent.click(head());
  await waitFor(() => expect(head().getAttribute('aria-expanded')).toBe('false'));
  expect(api.saveProject).toHaveBeenCalledWith(folder({ folded: true }));
  expect(screen.queryByText('Rent')).toBeNull();
  expect(head().textContent).toMatch(/Home\s*1/);
  expect(head().textContent).toMatch(/, 1 chat$/);
  // What is in a folded folder is no stop of Tab; the first that is seen is, with its buttons, and nothing else.
  const within = screen.getByRole('button', { name: /New chat in/ });
  const stops = () => [head().tabIndex, within.tabIndex, screen.getByText('Trip').tabIndex];
  expect(stops()).toEqual([0, 0, -1]);
  screen.getByText('Trip').focus();
  await waitFor(() => expect(stops()).toEqual([-1, -1, 0]));
  await fireEvent.keyDown(head(), { key: 'ArrowRight' });
  await screen.findByText('Rent');
  head().focus();
  await fireEvent.keyDown(head(), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(screen.getByText('Rent'));
  await fireEvent.keyDown(screen.getByText('Rent'), { key: 'ArrowUp' });
  expect(document.activeElement).toBe(head());
});

it('names a folder where it stands', async () => {
  render(ChatList);
  await fireEvent.keyDown(head(), { key: 'F2' });
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of the folder' });
  expect(field.value).toBe('Home');
  await fireEvent.input(field, { target: { value: '  House ' } });
  shop.projects.list = [folder()]; // heard anew
  flushSync();
  expect(field.value).toBe('  House ');
  // The key is used up: it does not press the head, which has the focus then.
  expect(await fireEvent.keyDown(field, { key: 'Enter' })).toBe(false);
  expect(api.saveProject).toHaveBeenCalledWith(folder({ title: 'House' }));
  await screen.findByRole('button', { name: /^House(?!:)/ });
});

it('takes none of two quick changes back', async () => {
  let done: () => void = () => undefined;
  vi.mocked(api.saveProject).mockImplementationOnce(
    (p) => new Promise((ready) => (done = () => ready(p))),
  );
  render(ChatList);
  await fireEvent.click(head());
  await fireEvent.keyDown(head(), { key: 'F2' });
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of the folder' });
  await fireEvent.input(field, { target: { value: 'House' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  done();
  await waitFor(() =>
    expect(api.saveProject).toHaveBeenLastCalledWith(folder({ title: 'House', folded: true })),
  );
});

it('goes on from the next in the list once a folder is gone', async () => {
  render(ChatList);
  head().focus();
  await fireEvent.keyDown(head(), { key: 'Delete' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('Rent')));
  expect(toasts.list[0]?.text).toMatch('“Home” is gone. Its chat');
});

it('takes a folder away and brings it back with those of its chats that are nowhere else', async () => {
  shop.chats.byId.get('b')!.project = 'f';
  render(ChatList);
  await fireEvent.keyDown(head(), { key: 'Delete' });
  await waitFor(() => expect(toasts.list).toHaveLength(1));
  expect(api.removeProject).toHaveBeenCalledWith('f');
  expect(toasts.list[0]?.text).toContain('Its 2 chats are in the list');
  shop.projects.list = [];
  shop.chats.byId.get('a')!.project = '';
  shop.chats.byId.get('b')!.project = 'elsewhere';
  toasts.list[0]?.action?.run();
  await waitFor(() => expect(api.setChat).toHaveBeenCalledTimes(1));
  expect(api.saveProject).toHaveBeenCalledWith(folder());
  expect(api.setChat).toHaveBeenCalledWith('a', {
    ...{ project: 'f', instructions: 'short', model: '' },
  });
});

it('leaves a project alone with the key that takes away: what it carries would be lost', async () => {
  shop.projects.list = [folder({ folder: false, instructions: 'short' })];
  render(ChatList);
  await fireEvent.keyDown(head(), { key: 'Delete' });
  expect(api.removeProject).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Project settings: Home' })).toBeTruthy();
});
