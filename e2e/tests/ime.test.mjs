// Korean input: Enter during composition commits the syllable and sends once. Browsers and input methods order the
// events differently, so each order is played as they do it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

const composer = of('composer');

/** Plays events on the composer, in the page. A step is [type, options] or ['value', text]. */
function compose(page, steps) {
  return page.locator(composer).evaluate((area, list) => {
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set;
    area.focus();
    for (const [type, options] of list) {
      if (type === 'value') {
        set.call(area, options);
        area.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertCompositionText' }));
      } else {
        const make = type.startsWith('composition') ? CompositionEvent : KeyboardEvent;
        area.dispatchEvent(new make(type, { bubbles: true, cancelable: true, ...options }));
      }
    }
  }, steps);
}

const enter = (extra = {}) => ['keydown', { key: 'Enter', code: 'Enter', keyCode: 13, ...extra }];
const up = ['keyup', { key: 'Enter', code: 'Enter', keyCode: 13 }];
const begin = [
  ['compositionstart', { data: '' }],
  ['compositionupdate', { data: '요' }],
  ['value', '지금 몇 시예요'],
];
const end = ['compositionend', { data: '요' }];

const orders = {
  'composition ends after the Enter (Chromium, ibus)': [
    ...begin,
    enter({ isComposing: true, keyCode: 229 }),
    end,
    up,
  ],
  'composition ends before the Enter (WebKit)': [
    ...begin,
    end,
    enter({ isComposing: false, keyCode: 229 }),
    up,
  ],
  'no composition events at all': [['value', '지금 몇 시예요'], enter(), up],
};

for (const [name, steps] of Object.entries(orders)) {
  test(`sends once: ${name}`, async (t) => {
    const { shop, page } = await visit(t);
    await compose(page, steps);
    await shop.sees('the message in the chat', of('chat-message', { role: 'customer' }));
    await shop.sees('the answer', `${of('job-card')}, ${of('chat-message', { role: 'shop' })}`);
    const sent = await shop.find(of('chat-message', { role: 'customer' }));
    assert.equal(sent.length, 1, 'sent once, never twice');
    assert.match(sent[0].text, /지금 몇 시예요/);
    assert.equal(await page.locator(composer).inputValue(), '', 'nothing stays behind in the composer');
  });
}

test('the browser composes Hangul for real, and Enter sends the whole syllable', async (t) => {
  const { shop, page } = await visit(t);
  const devtools = await page.context().newCDPSession(page);
  await page.locator(composer).click();
  await devtools.send('Input.insertText', { text: '지금 몇 시예' });
  for (const text of ['ㅇ', '요']) {
    await devtools.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }
  await devtools.send('Input.insertText', { text: '요' });
  await page.keyboard.press('Enter');
  await shop.sees('the message in the chat', of('chat-message', { role: 'customer' }));
  const sent = await shop.find(of('chat-message', { role: 'customer' }));
  assert.equal(sent.length, 1);
  assert.match(sent[0].text, /지금 몇 시예요/);
});

test('Shift+Enter breaks the line and does not send', async (t) => {
  const { shop, page } = await visit(t);
  await page.locator(composer).click();
  await page.keyboard.type('첫 줄');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('둘째 줄');
  assert.equal(await page.locator(composer).inputValue(), '첫 줄\n둘째 줄');
  assert.equal((await shop.find(of('chat-message', { role: 'customer' }))).length, 0);
});
