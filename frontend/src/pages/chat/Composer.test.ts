import { fireEvent, render } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import Composer from './Composer.svelte';

const TAKEN = 229;

/** A composer, and the things an engine does to it. */
function composer(more: { about?: string; onanywhere?: () => void } = {}) {
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
