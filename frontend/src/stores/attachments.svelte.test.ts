import { beforeEach, expect, it, vi, type MockInstance } from 'vitest';

import { api as real } from '$lib/api';
import type { event } from '$lib/api/types';

import { Attachments, Chip } from './attachments.svelte';

const file = (id: string, name = `${id}.txt`) =>
  ({ id, name, kind: 'text', format: 'txt', bytes: 3 }) as event.Attachment;

const settle = () => new Promise((done) => setTimeout(done));

let api: { [K in 'attach' | 'attachData' | 'attachmentPicture']: MockInstance<(typeof real)[K]> };

beforeEach(() => {
  api = {
    attach: vi.spyOn(real, 'attach'),
    attachData: vi.spyOn(real, 'attachData'),
    attachmentPicture: vi.spyOn(real, 'attachmentPicture'),
  };
});

it('has a chip at once, fills it when the file was read, and keeps what was refused with its reason', async () => {
  const held = new Attachments();
  let read: (a: event.Attachment) => void = () => undefined;
  api.attach.mockReturnValueOnce(new Promise((done) => (read = done)));
  api.attach.mockRejectedValueOnce({ code: 'attachment_refused', message: 'too large' });
  held.addPaths('main', ['/home/me/a.txt', 'C:\\b.txt']);
  expect(held.of('main').map((c) => [c.name, c.reading])).toEqual([
    ['a.txt', true],
    ['b.txt', true],
  ]);
  await settle();
  expect(held.of('main')[1]?.refusal?.message).toBe('too large');
  read(file('a'));
  await settle();
  expect(held.of('main')[0]?.attachment?.id).toBe('a');
  expect(held.of('other')).toEqual([]);
});

it('takes the same content once, and a picture as what its bytes are', async () => {
  const held = new Attachments();
  api.attach.mockResolvedValue(file('a'));
  held.addPaths('main', ['/1/a.txt']);
  await settle();
  held.addPaths('main', ['/2/copy.txt']);
  await settle();
  expect(held.of('main').length).toBe(1);
  api.attachData.mockResolvedValue(file('p'));
  held.addFiles('main', [{ name: 'p.png', file: new File(['abc'], 'image.png') }]);
  await vi.waitFor(() => expect(held.of('main').length).toBe(2));
  await vi.waitFor(() => expect(api.attachData).toHaveBeenCalledWith('p.png', btoa('abc')));
});

it('puts aside what is attached while an earlier request is changed', () => {
  const held = new Attachments();
  const mine = Chip.of(file('mine'));
  held.put('main', [mine]);
  held.swap('main', [Chip.of(file('earlier'))]);
  held.swap('main', [Chip.of(file('another'))]);
  expect(held.of('main').map((c) => c.name)).toEqual(['another.txt']);
  held.swapBack('main');
  held.swapBack('main');
  expect(held.of('main')).toEqual([mine]);
  held.remove('main', mine);
  expect(held.of('main')).toEqual([]);
});

it('drops what a prompt says where it is not wanted by the time it comes', async () => {
  const held = new Attachments();
  vi.spyOn(real, 'attachPrompt').mockResolvedValue(file('said'));
  const prompt = { server: 'desk', prompt: 'week', name: 'Week' };
  let wanted = true;
  const asked = held.addToldPrompt('main', prompt, {}, () => wanted);
  wanted = false;
  expect(await asked).toBeUndefined();
  expect(held.of('main')).toEqual([]);
  await held.addToldPrompt('main', prompt, {}, () => true);
  expect(held.of('main').map((c) => c.name)).toEqual(['Week']);
});

it('asks for a picture once, and again when that failed', async () => {
  const held = new Attachments();
  api.attachmentPicture.mockRejectedValueOnce(new Error('gone'));
  await expect(held.picture('p')).rejects.toThrow();
  api.attachmentPicture.mockResolvedValue('data:,');
  expect(await held.picture('p')).toBe('data:,');
  expect(held.picture('p')).toBe(held.picture('p'));
  expect(api.attachmentPicture).toHaveBeenCalledTimes(2);
});
