// What is drawn by a library is drawn by the engine of the production window, too: a diagram in a reply is a picture with a size.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';

import { openDisplay } from '../lib/display.mjs';
import { takeLineInPage, tellInPage } from '../lib/hostile.mjs';
import { visitNative } from '../lib/native-visit.mjs';
import { of } from '../lib/shop.mjs';
import { each, ways } from '../lib/ways.mjs';

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

const kinds = {
  flow: 'graph TD; A["시작"] --> B{"맞나?"}; B -->|예| C["끝"]; B -->|아니요| A',
  sequence: 'sequenceDiagram\n  손님->>가게: 주문\n  가게-->>손님: 확인',
  pie: 'pie title Parts\n  "one" : 3\n  "two" : 5',
};

for (const theme of ways(['light', 'dark'], import.meta.url)) {
  each(`a diagram is drawn in the production window, ${theme}`, async (t) => {
    const { window, shop } = await visitNative(t, display, { lang: 'ko', theme });
    await window.evaluate(takeLineInPage);
    for (const [id, text] of Object.entries(kinds)) {
      const data = {
        id,
        role: 'shop',
        text: `\`\`\`mermaid\n${text}\n\`\`\``,
        time: new Date().toISOString(),
      };
      await window.evaluate(tellInPage, [{ kind: 'chat.message', chat: 'main', data }]);
      const place = `${of('chat-message', { id })} .diagram.drawn img`;
      await shop.sees(`the ${id}`, place);
      const picture = await window.evaluate(async (selector) => {
        const img = document.querySelector(selector);
        await img.decode();
        img.scrollIntoView({ block: 'center' });
        const { width, height } = img.getBoundingClientRect();
        // That there is more in it than its ground: how many colours it is painted with.
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [img.naturalWidth, img.naturalHeight];
        const pen = canvas.getContext('2d');
        pen.drawImage(img, 0, 0);
        const dots = new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        const text = new TextDecoder().decode(
          Uint8Array.from(atob(img.src.split(',')[1]), (c) => c.charCodeAt(0)),
        );
        return { width, height, colours: new Set(dots).size, text };
      }, place);
      assert.ok(picture.width > 60 && picture.height > 40, `${id} is ${picture.width} by ${picture.height}`);
      assert.ok(picture.colours > 8, `${id} is painted with ${picture.colours} colours`);
      for (const word of { flow: ['시작', '끝'], sequence: ['손님', '주문'], pie: ['Parts', 'two'] }[id])
        assert.ok(picture.text.includes(word), `${id} says ${word}`);
      if (id !== 'pie') continue;
      const legend = [...picture.text.matchAll(/<rect [^>]*fill: ?([^;"]+)/g)].map(([, colour]) => colour);
      assert.equal(new Set(legend).size, 2, `the legend tells the parts apart: ${legend}`);
    }
    await window.screenshot(`drawing-${theme}`);
  });
}
