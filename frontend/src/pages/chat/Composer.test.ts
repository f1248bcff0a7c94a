import { fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import type { McpResource } from '$lib/api/types';

import Composer from './Composer.svelte';

const TAKEN = 229;

// The list comes when it is first wanted, which takes longer than a test waits.
beforeAll(() => import('./OfferList.svelte'));

/** A composer, and the things an engine does to it. */
function composer(more: { about?: string; held?: boolean; onanywhere?: () => void } = {}) {
  const sent: string[] = [];
  const { getByTestId } = render(Composer, {
    ...more,
    text: '',
    replying: false,
    editing: false,
    onsend: (text: string) => sent.push(text),
    onstop: () => undefined,
    oncancelediting: () => undefined,
  });
  const box = getByTestId('composer') as HTMLTextAreaElement;
  const type = (value: string) => {
    box.value = value;
    return fireEvent.input(box);
  };
  const enter = (more: KeyboardEventInit = {}) =>
    fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13, ...more });
  /** What the engine does with an Enter nobody stopped. */
  const breaks = () =>
    fireEvent(
      box,
      new InputEvent('beforeinput', { inputType: 'insertLineBreak', cancelable: true }),
    );
  return { box, sent, type, enter, breaks, send: getByTestId('send') };
}

describe('the document that is asked', () => {
  it('goes with Backspace and Escape in an empty box, and not while something is typed', async () => {
    let gone = 0;
    const { box, type } = composer({ about: '근로계약서', onanywhere: () => gone++ });
    await type('월급');
    expect(await fireEvent.keyDown(box, { key: 'Backspace' })).toBe(true);
    await fireEvent.keyDown(box, { key: 'Escape' });
    expect(gone).toBe(0);
    await type('');
    await fireEvent.keyDown(box, { key: 'Backspace', isComposing: true });
    expect(gone).toBe(0);
    expect(await fireEvent.keyDown(box, { key: 'Backspace' })).toBe(false);
    expect(await fireEvent.keyDown(box, { key: 'Escape' })).toBe(false);
    expect(gone).toBe(2);
  });
});

describe('a resource of an outside server', () => {
  const resources = ['출장비', '휴가'].map((name) => ({
    server: 'notes',
    address: `notes://${name}`,
    name,
  }));

  /** A composer in which the letters before the caret were typed. */
  function naming(wanted = true) {
    const picked: string[] = [];
    let asked = 0;
    const made = render(Composer, {
      text: '',
      replying: false,
      editing: false,
      resources,
      onmention: () => asked++,
      onresource: (r: McpResource) => {
        picked.push(r.name);
        return Promise.resolve(wanted);
      },
      onsend: () => picked.push('sent'),
      onstop: () => undefined,
      oncancelediting: () => undefined,
    });
    const box = made.getByTestId('composer') as HTMLTextAreaElement;
    const type = async (value: string, caret = value.length) => {
      box.value = value;
      box.setSelectionRange(caret, caret);
      await fireEvent.input(box);
    };
    const press = (key: string) => fireEvent.keyDown(box, { key, code: key });
    return { ...made, box, picked, type, press, asked: () => asked };
  }

  it('is chosen with the keys, and its letters go out of the words', async () => {
    const { box, picked, type, press, asked, findAllByRole } = naming();
    await type('보세요 @ 그리고', 5);
    expect(await findAllByRole('option')).toHaveLength(2);
    expect(asked()).toBe(1);
    await press('ArrowDown');
    expect(box.getAttribute('aria-activedescendant')).toMatch(/-1$/);
    await press('Enter');
    expect([box.value, box.selectionStart, picked]).toEqual(['보세요  그리고', 4, ['휴가']]);
  });

  it('is put away with Escape, and then Enter sends', async () => {
    const { box, picked, type, press, findAllByRole, queryByRole } = naming();
    await type('@출');
    await findAllByRole('option');
    await press('Escape');
    expect([box.value, queryByRole('option')]).toEqual(['@출', null]);
    await press('Enter');
    expect(picked).toEqual(['sent']);
  });

  it('stays chosen where a late answer moves the list, which does not shrink meanwhile', async () => {
    const { box, picked, type, press, findAllByRole, getAllByRole, rerender } = naming();
    await type('@');
    await findAllByRole('option');
    await press('ArrowDown');
    const another = { server: 'other', address: 'other://1', name: '가계부' };
    const names = () => getAllByRole('option').map((o) => o.querySelector('b')?.textContent);
    await rerender({ text: box.value, resources: [another] });
    expect(names()).toEqual(['출장비', '휴가', '가계부']);
    await press('Enter');
    expect(picked).toEqual(['휴가']);
    await type('@');
    await findAllByRole('option');
    expect(names()).toEqual(['가계부']);
    await press('Enter');
    expect([box.value, picked]).toEqual(['', ['휴가', '가계부']]);
  });

  it('stays the first where better ones come late', async () => {
    const { box, picked, type, press, findAllByRole, getAllByRole, rerender } = naming();
    await type('@휴');
    await findAllByRole('option');
    await type('@notes');
    expect(getAllByRole('option')).toHaveLength(2);
    await rerender({
      text: box.value,
      resources: [{ server: 'other', address: 'other://1', name: 'notes' }],
    });
    expect(getAllByRole('option')[0]?.textContent).toMatch('other');
    await press('Enter');
    expect(picked).toEqual(['출장비']);
  });

  it('leaves its letters when it was not wanted after all', async () => {
    const { box, type, press, findAllByRole, queryByRole } = naming(false);
    await type('보세요 @출 그리고', 6);
    await findAllByRole('option');
    await press('Enter');
    await vi.waitFor(() => expect(box.value).toBe('보세요 @출 그리고'));
    expect([box.selectionStart, queryByRole('option')]).toEqual([6, null]);
  });

  it('is not meant in words that came from elsewhere, and not without the focus', async () => {
    const { box, type, asked, queryByRole, findAllByRole, rerender } = naming();
    await type('하나둘', 3);
    box.blur();
    await rerender({ text: '이 @출장비' });
    expect([asked(), queryByRole('option')]).toEqual([0, null]);
    box.focus();
    box.setSelectionRange(4, 4);
    await fireEvent.keyUp(box);
    await findAllByRole('option');
    box.blur();
    await vi.waitFor(() => expect(queryByRole('option')).toBeNull());
  });

  it('is not meant in an address, and not where the caret is elsewhere', async () => {
    const { type, asked, queryByRole } = naming();
    await type('kim@출');
    await type('@출장 보세요');
    expect([asked(), queryByRole('option')]).toEqual([0, null]);
  });
});

describe('what waits for something', () => {
  it('can be neither changed nor sent', async () => {
    const { box, sent, type, enter, send } = composer({ held: true });
    await type('빵 사기');
    await enter();
    expect(box.readOnly).toBe(true);
    expect((send as HTMLButtonElement).disabled).toBe(true);
    expect([box.value, sent]).toEqual(['빵 사기', []]);
  });
});

describe('Enter in the composer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('sends and empties the box, without an input method', async () => {
    const { box, sent, type, enter } = composer();
    await type('play a song');
    const goesOn = await enter();
    expect(goesOn).toBe(false);
    expect(sent).toEqual(['play a song']);
    expect(box.value).toBe('');
  });

  it('breaks the line with Shift', async () => {
    const { sent, type, enter } = composer();
    await type('one');
    expect(await enter({ shiftKey: true })).toBe(true);
    expect(sent).toEqual([]);
  });

  it('sends once when the composition ends before the key comes', async () => {
    const { box, sent, type, enter } = composer();
    await fireEvent.compositionStart(box);
    await type('노래');
    await fireEvent.compositionEnd(box);
    await enter();
    vi.runAllTimers();
    expect(sent).toEqual(['노래']);
  });

  it('sends once when the engine still calls that key taken', async () => {
    const { box, sent, type, enter } = composer();
    await fireEvent.compositionStart(box);
    await type('노래');
    await fireEvent.compositionEnd(box);
    await enter({ keyCode: TAKEN });
    vi.runAllTimers();
    expect(sent).toEqual(['노래']);
  });

  it('waits for the syllable when the key comes first, and sends once', async () => {
    const { box, sent, type, enter, breaks } = composer();
    await fireEvent.compositionStart(box);
    await type('노래 틀어주');
    await enter({ keyCode: TAKEN, isComposing: true });
    expect(sent).toEqual([]);
    await type('노래 틀어줘');
    await fireEvent.compositionEnd(box);
    expect(await breaks()).toBe(false);
    vi.runAllTimers();
    expect(sent).toEqual(['노래 틀어줘']);
    expect(box.value).toBe('');
  });

  it('does not send twice when the same press comes again after the composition', async () => {
    const { box, sent, type, enter } = composer();
    await fireEvent.compositionStart(box);
    await type('노래');
    await enter({ keyCode: TAKEN, isComposing: true });
    await fireEvent.compositionEnd(box);
    await enter();
    vi.runAllTimers();
    expect(sent).toEqual(['노래']);
  });

  it('takes the syllable that arrives after the composition ended', async () => {
    const { box, sent, type, enter } = composer();
    await fireEvent.compositionStart(box);
    await type('노ㄹ');
    await enter({ keyCode: TAKEN, isComposing: true });
    await fireEvent.compositionEnd(box);
    await type('노래');
    vi.runAllTimers();
    expect(sent).toEqual(['노래']);
  });

  it('waits for the syllable when there are no composition events', async () => {
    const { sent, type, enter } = composer();
    await type('노');
    await enter({ keyCode: TAKEN });
    expect(sent).toEqual([]);
    await type('노래');
    vi.runAllTimers();
    expect(sent).toEqual(['노래']);
  });

  it('sends what is there when nothing follows a taken key', async () => {
    const { sent, type, enter } = composer();
    await type('노래');
    await enter({ keyCode: TAKEN });
    vi.runAllTimers();
    expect(sent).toEqual(['노래']);
  });

  it('sends nothing when there is nothing to send', async () => {
    const { sent, type, enter } = composer();
    await type('  \n ');
    await enter();
    expect(sent).toEqual([]);
  });
});

it('is never switched off', () => {
  const { box, send } = composer();
  expect(box.disabled).toBe(false);
  expect(send).toHaveProperty('disabled', true);
});

describe('favourites', () => {
  const plain = {
    id: 'f1',
    name: '아침날씨',
    text: '서울 {{하늘}}',
    plain: '서울 {하늘}',
    blanks: [],
  };
  const blank = {
    id: 'f2',
    name: '날씨',
    text: '{언제} {곳} 날씨',
    blanks: [
      { name: '언제', asks: '' },
      { name: '곳', asks: '' },
    ],
  };

  function completing() {
    const sent: [string, string | undefined][] = [];
    const { getByTestId, queryByTestId, findByTestId } = render(Composer, {
      text: '',
      replying: false,
      editing: false,
      favourites: [plain, blank],
      onsend: (text: string, favourite?: string) => sent.push([text, favourite]),
      onstop: () => undefined,
      oncancelediting: () => undefined,
    });
    const box = getByTestId('composer') as HTMLTextAreaElement;
    const type = (value: string) => {
      box.value = value;
      return fireEvent.input(box);
    };
    const key = (key: string, more: KeyboardEventInit = {}) =>
      fireEvent.keyDown(box, { key, code: key, keyCode: 0, ...more });
    const list = () => queryByTestId('favourite-list');
    const chosen = () => list()?.querySelector('[aria-selected="true"]')?.textContent ?? '';
    return { box, sent, type, key, list, chosen, listed: () => findByTestId('favourite-list') };
  }

  it('are listed behind a slash and chosen with the arrows', async () => {
    const { box, sent, type, key, chosen, listed, list } = completing();
    await type('/');
    await listed();
    expect(chosen()).toContain('/아침날씨');
    expect(box.getAttribute('aria-activedescendant')).toBe(
      list()?.querySelector('[aria-selected="true"]')?.id,
    );
    await key('ArrowDown');
    expect(chosen()).toContain('/날씨');
    await key('ArrowDown');
    expect(chosen()).toContain('/아침날씨');
    await key('Enter');
    expect(sent).toEqual([]);
    expect(box.value).toBe('서울 {하늘}');
    expect(list()).toBeNull();
    expect(box.hasAttribute('aria-activedescendant')).toBe(false);
    await key('Enter');
    expect(sent).toEqual([['서울 {하늘}', undefined]]);
  });

  it('are put away with Escape, which goes no further, until something else is typed', async () => {
    const { sent, type, key, listed, list } = completing();
    let heard = 0;
    const further = () => heard++;
    window.addEventListener('keydown', further);
    await type('/날');
    await listed();
    await key('Escape');
    window.removeEventListener('keydown', further);
    expect(heard).toBe(0);
    expect(list()).toBeNull();
    await key('Enter');
    expect(sent).toEqual([['/날', undefined]]);
    await type('/날씨');
    expect(await listed()).toBeTruthy();
  });

  it('fill the box with blanks that Tab walks through', async () => {
    const { box, sent, type, key, listed } = completing();
    await type('/날씨');
    await listed();
    await key('Tab');
    await vi.waitFor(() => expect(box.selectionEnd - box.selectionStart).toBe('{언제}'.length));
    expect(box.value).toBe(blank.text);
    expect(await key('Tab')).toBe(false);
    expect(box.value.slice(box.selectionStart, box.selectionEnd)).toBe('{곳}');
    await key('Tab', { shiftKey: true });
    expect(box.value.slice(box.selectionStart, box.selectionEnd)).toBe('{언제}');
    await type('내일 부산 날씨');
    expect(await key('Tab')).toBe(true); // nothing is blank: it leads on
    await key('Enter');
    expect(sent).toEqual([['내일 부산 날씨', 'f2']]);
  });

  it('leave the keys to the input method while a syllable is put together', async () => {
    const { box, sent, type, key, chosen, listed } = completing();
    await type('/');
    await listed();
    await fireEvent.compositionStart(box);
    await type('/ㄴ');
    await key('ArrowDown', { isComposing: true });
    await key('Tab', { keyCode: TAKEN });
    await key('Escape', { isComposing: true });
    expect(chosen()).toContain('/아침날씨');
    await type('/날씨');
    expect(chosen()).toContain('/날씨');
    // The Enter that commits the syllable chooses, and sends nothing.
    await key('Enter', { isComposing: true, keyCode: TAKEN });
    expect(box.value).toBe('/날씨');
    await fireEvent.compositionEnd(box);
    await vi.waitFor(() => expect(box.value).toBe(blank.text));
    expect(sent).toEqual([]);
  });
});
