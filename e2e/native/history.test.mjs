// A history that is bent, in the production window: a request is said anew, and the older version and the work it began are one step away.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';

import { openDisplay } from '../lib/display.mjs';
import { finds } from '../lib/finds.mjs';
import { visitNative } from '../lib/native-visit.mjs';
import { dataFolder } from '../lib/paths.mjs';
import { of } from '../lib/shop.mjs';
import { each, ways } from '../lib/ways.mjs';

let display;
before(async () => (display = await openDisplay()));
after(() => display?.close());

const mine = of('chat-message', { role: 'customer' });
const at = of('version-at');

const said = {
  ko: {
    timer: '10분 타이머',
    note: '메모해줘: 우유 사기',
    edit: '고쳐서 다시 보내기',
    stop: '멈추기: ',
    back: '되돌리기: ',
  },
  en: {
    timer: 'set a 10 minute timer',
    note: 'note down buy milk',
    edit: 'Edit and resend',
    stop: 'Stop: ',
    back: 'Take back: ',
  },
};

for (const [lang, t] of ways(Object.entries(said), import.meta.url)) {
  each(
    `a request is said anew, and what its old version began is stopped, kept or taken back, ${lang}`,
    async (test) => {
      const settings = { lang, theme: 'light' };
      const data = dataFolder(settings);
      const { window, shop } = await visitNative(test, display, settings, { data });
      const texts = async (selector) => (await shop.find(selector)).map((e) => e.text);
      const bend = async (old, text) => {
        const index = (await texts(`${mine} .text`)).indexOf(old);
        assert.ok(index >= 0, `${old} is there`);
        const id = (await shop.find(mine))[index].id;
        await window.click(`${mine}[data-id="${id}"] [aria-label="${t.edit}"]`);
        await shop.sees('what it began', of('edit-world'));
        await window.click(`${of('edit-world')} [data-value="on"]`);
        await window.screenshot(`native-versions-edit-${lang}`);
        await window.click(of('composer'));
        await window.press('Control+a');
        await window.type(of('composer'), text);
        await window.press('Enter');
        await shop.sees('which version is shown', at);
      };

      const [timer] = await shop.order(t.timer);
      await shop.jobIs(timer, 'waiting');
      await bend(t.timer, t.note);
      await shop.sees('the note written', of('job-card', { state: 'succeeded' }));
      const [{ job: note }] = await shop.find(of('job-card'));
      await finds(window, ([s, which]) => document.querySelector(s)?.textContent.trim() === which, [
        at,
        '2/2',
      ]);
      const stateOf = (id) => window.evaluate(async (j) => (await window.go.main.App.Job(j)).job.state, id);
      assert.equal(await stateOf(timer), 'waiting', 'it goes on, as was chosen');

      // The work of the version that is not shown is listed there, and stopped there.
      await window.click(`${of('world')} summary`);
      await shop.sees('the job of the old version', of('world-job', { job: timer }));
      assert.equal((await shop.find(of('world-job'))).length, 1, 'and nothing of what is shown');
      await window.screenshot(`native-versions-world-${lang}`);
      await window.click(`${of('world-job', { job: timer })} [aria-label^="${t.stop}"]`);
      await shop.sees('it stopped', `${of('world-job', { job: timer })} .stamp.canceled`);

      // The old version comes back as it was, and from there what the new one did is taken back.
      await window.click(of('version-before'));
      await shop.sees('the ticket of the old version', of('job-card', { job: timer, state: 'canceled' }));
      await finds(window, ([s, which]) => document.querySelector(s)?.textContent.trim() === which, [
        at,
        '1/2',
      ]);
      assert.ok((await texts(`${mine} .text`)).includes(t.timer));
      await window.click(`${of('world')} summary`);
      await window.click(`${of('world-job', { job: note })} [aria-label^="${t.back}"]`);
      // It takes something away, so it is asked about like anything else.
      await shop.sees('the question', `${of('ask-card')}[data-ready]`);
      await shop.approve();
      await shop.sees('it taken back', of('job-card', { state: 'succeeded' }));
      await window.screenshot(`native-versions-back-${lang}`);
      await shop.goTo('notes');
      await shop.sees('no note', `${of('notes-page')} .entry`, { count: 0 });

      // The power fails: the version that was shown is shown.
      await window.kill();
      const later = await visitNative(test, display, {}, { data });
      await later.shop.sees('the version that was shown', at);
      assert.equal((await later.shop.find(at))[0].text, '1/2');
    },
  );
}
