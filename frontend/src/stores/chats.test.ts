import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { DeletedChat } from '$lib/api/types';
import type { Envelope, Kind, Payloads } from '$lib/events';
import { snapshot } from '../test/shapes';

import { Chats } from './chats.svelte';

describe('the conversations', () => {
  let chats: Chats;
  let seq: number;

  afterEach(() => void vi.restoreAllMocks());

  beforeEach(() => {
    seq = 0;
    chats = new Chats();
    chats.load(
      snapshot({
        chats: [
          { id: 'trip', title: 'Trip', updated: '2026-01-02T03:00:00Z', messages: [] },
          { id: 'main', title: '', updated: '', messages: [] },
        ],
      }),
    );
  });

  function hear<K extends Kind>(kind: K, data: Payloads[K], chat = 'trip'): void {
    const time = `2026-01-02T03:04:${String(++seq).padStart(2, '0')}Z`;
    chats.apply({ seq, time, kind, chat, data } as unknown as Envelope);
  }
  const ask = (id: string, chat?: string) =>
    hear('chat.message', { id, role: 'customer', text: id }, chat);
  const reply = (id: string, turn: string) =>
    hear('chat.message', { id, role: 'shop', text: id, turn });
  const ids = (chat = 'trip') => chats.open(chat).messages.map((m) => m.id);

  describe('that are deleted', () => {
    const thought = (id: string) =>
      hear('thinking', { step: 'generating', text: 'hm', data: { id } });

    it('do not come back with what is still told of them', () => {
      ask('q');
      hear('chat.token', { id: 'r', delta: 'Half' });
      hear('chat.deleted', { id: 'trip' });
      hear('chat.token', { id: 'r', delta: ' a sentence' });
      thought('r');
      hear('agent.start', { label: 'Reading' } as Payloads['agent.start']);
      hear('agent.queued', { place: 2 } as Payloads['agent.queued']);
      reply('r', 'q');
      hear('error', { code: 'canceled', message: 'Stopped.' });
      hear('turn.done', { message: '', messageId: 'r' } as Payloads['turn.done']);
      hear('chat.cut', { messages: ['q'], jobs: [] });
      expect([...chats.byId.keys()]).toEqual(['main']);
      expect(chats.list.map((c) => c.id)).toEqual(['main']);
    });

    it('are left for the newest of the others', () => {
      chats.currentId = 'trip';
      hear('chat.deleted', { id: 'trip' });
      expect(chats.currentId).toBe('main');
      expect(chats.current.messages).toEqual([]);
    });

    it('go also when only a snapshot tells, while a job keeps the chat one speaks to it in', () => {
      ask('q');
      ask('to the worker', 'job:j');
      chats.currentId = 'trip';
      chats.load(snapshot());
      expect([...chats.byId.keys()].toSorted()).toEqual(['job:j', 'main']);
      expect(chats.currentId).toBe('main');
    });

    it('leave nothing of what stood in them, also where no other is', async () => {
      chats.load(snapshot());
      chats.currentId = 'main';
      ask('q', 'main');
      expect(ids('main')).toEqual(['q']);
      vi.spyOn(api, 'deleteChat').mockResolvedValue();
      await chats.delete(chats.current);
      expect([chats.currentId, chats.current.messages]).toEqual(['main', []]);
    });

    describe('and are taken back', () => {
      const main = { id: 'main', title: '', updated: '', messages: [] };
      const trip = { id: 'trip', title: 'Trip', updated: '2026-01-02T03:00:00Z', messages: [] };

      beforeEach(async () => {
        vi.spyOn(api, 'deleteChat').mockResolvedValue();
        vi.spyOn(api, 'restoreChat').mockResolvedValue();
        chats.currentId = 'trip';
        await chats.delete(chats.current);
        expect(chats.currentId).toBe('main');
      });

      it('are open once what stands in them is here, also when it is heard late that they were deleted', async () => {
        await chats.takeBack('trip');
        expect(chats.currentId).toBe('main');
        hear('chat.deleted', { id: 'trip' });
        hear('chat.restored', { id: 'trip', title: 'Trip' });
        expect(chats.currentId).toBe('main');
        chats.load(snapshot({ chats: [trip, main] }));
        expect(chats.currentId).toBe('trip');
        hear('chat.deleted', { id: 'trip' });
        expect(chats.currentId).toBe('main');
      });

      it('are open, also when a snapshot from before comes late', async () => {
        await chats.takeBack('trip');
        chats.load(snapshot({ chats: [main] }));
        chats.load(snapshot({ chats: [trip, main] }));
        expect(chats.currentId).toBe('trip');
      });

      it('are open, also when they are here before the shop has answered', async () => {
        const back = chats.takeBack('trip');
        chats.load(snapshot({ chats: [trip, main] }));
        expect(chats.currentId).toBe('main');
        await back;
        expect(chats.currentId).toBe('trip');
      });

      it('do not call back who has opened another meanwhile, nor wait for what is gone again', async () => {
        const other = { ...trip, id: 'other' };
        await chats.takeBack('trip');
        chats.load(snapshot({ chats: [other, main] }));
        chats.currentId = 'other';
        chats.load(snapshot({ chats: [trip, other, main] }));
        expect(chats.currentId).toBe('other');
        await chats.delete(chats.open('trip'));
        await chats.takeBack('trip');
        hear('chat.restored', { id: 'trip', title: 'Trip' });
        chats.load(snapshot({ chats: [other, main] }));
        chats.load(snapshot({ chats: [trip, other, main] }));
        expect(chats.currentId).toBe('other');
      });
    });

    it('are listed as they are now, whatever is answered late', async () => {
      const one = [{ id: 'trip', title: 'Trip', deleted: '', updated: '' }] as DeletedChat[];
      const answers: ((list: DeletedChat[]) => void)[] = [];
      vi.spyOn(api, 'deletedChats').mockImplementation(
        () => new Promise((resolve) => answers.push(resolve)),
      );
      hear('chat.deleted', { id: 'trip' });
      hear('chat.restored', { id: 'trip', title: 'Trip' });
      answers.shift()?.(one);
      await new Promise((resolve) => setTimeout(resolve)); // whatever follows from it has followed
      expect(chats.deleted).toEqual([]);
      const [older, newer] = [chats.loadDeleted(), chats.loadDeleted()];
      answers.pop()?.([]);
      await newer;
      answers.pop()?.(one);
      await older;
      expect(chats.deleted).toEqual([]);
    });

    it('are opened by a word of the customer, as a new one is', () => {
      ask('q', 'new');
      expect(ids('new')).toEqual(['q']);
    });
  });

  describe('of which the end is cut', () => {
    it('lose a request with all that came of it and after it, and keep what stands before', () => {
      ask('q1');
      reply('r1', 'q1');
      ask('q2');
      reply('r2', 'q2');
      ask('q3');
      hear('chat.token', { id: 'r3', delta: 'Half' });
      hear('chat.cut', { messages: ['q2', 'r2', 'q3'], jobs: [] });
      expect(ids()).toEqual(['q1', 'r1']);
      expect(chats.open('trip').streaming).toBe(false);
    });

    it('keep the late answer to a request before', () => {
      ask('q1');
      ask('q2');
      reply('r1', 'q1');
      reply('r2', 'q2');
      hear('chat.cut', { messages: ['q2', 'r2'], jobs: [] });
      expect(ids()).toEqual(['q1', 'r1']);
    });

    it('lose what was only shown after the request', () => {
      hear('error', { code: 'internal', message: 'Before.' });
      ask('q');
      hear('error', { code: 'internal', message: 'After.' });
      hear('thinking', { step: 'context', text: 'Shortened.' });
      hear('chat.cut', { messages: ['q'], jobs: [] });
      expect(chats.open('trip').messages.map((m) => m.text)).toEqual(['Before.']);
    });

    it('keep the successor, whichever is told first', () => {
      const successor = { id: 'again', role: 'customer' as const, text: 'again', time: '' };
      ask('q');
      reply('r', 'q');
      chats.open('trip').take(successor);
      hear('chat.cut', { messages: ['q', 'r'], jobs: [] });
      hear('chat.message', successor);
      expect(ids()).toEqual(['again']);
      chats.open('trip').take(successor);
      expect(ids()).toEqual(['again']);
      expect(chats.open('trip').asking).toBe('again');
    });

    it('never show the successor beside what it takes the place of', async () => {
      const successor = { id: 'again', role: 'customer' as const, text: 'again', time: '' };
      ask('q');
      reply('r', 'q');
      vi.spyOn(api, 'sayInstead').mockResolvedValue(successor);
      await chats.open('trip').sayInstead('q', { text: 'again' });
      expect(ids()).toEqual(['q', 'r']);
      hear('chat.cut', { messages: ['q', 'r'], jobs: [] });
      hear('chat.message', successor);
      expect(ids()).toEqual(['again']);
    });
  });

  it('know which request a reply answers, and take no other when that one is gone', async () => {
    ask('q1');
    ask('q2');
    reply('r1', 'q1');
    hear('chat.message', { id: 'old', role: 'shop', text: 'from before turns were noted' });
    const trip = chats.open('trip');
    const request = (id: string) => {
      const found = trip.find(id);
      return found && trip.requestOf(found)?.id;
    };
    expect([request('r1'), request('old')]).toEqual(['q1', 'q2']);
    vi.spyOn(api, 'deleteMessage').mockResolvedValue();
    vi.spyOn(api, 'restoreMessage').mockResolvedValue();
    const restore = await trip.remove('q1');
    expect(request('r1')).toBeUndefined();
    await restore?.();
    expect(request('r1')).toBe('q1');
  });

  it('have a message again that the shop did not delete', async () => {
    ask('q1');
    const before = ids();
    vi.spyOn(api, 'deleteMessage').mockRejectedValue({ code: 'storage_failed' });
    const removed = chats.open('trip').remove('q1');
    expect(ids()).not.toEqual(before);
    await expect(removed).rejects.toEqual({ code: 'storage_failed' });
    expect(ids()).toEqual(before);
  });
});
