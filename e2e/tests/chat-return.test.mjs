// A chat that was saved in one shop comes into another, by the dialog that takes those of other programs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { nothingSerious } from '../lib/checks.mjs';
import { drop } from '../lib/drop.mjs';
import { of } from '../lib/shop.mjs';
import { finds, visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const written = `${of('chat-message', { role: 'shop' })}:not([data-streaming])`;
const toast = '.toaster .toast';
const call = (page, method, ...args) =>
  page.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);

for (const [lang, said, found, none] of ways(
  [
    ['ko', '안녕, 이삿날', '새 대화 1개', '새로 가져올 대화가 없어요'],
    ['en', 'hello, moving day', 'New chats: 1', 'nothing new'],
  ],
  import.meta.url,
))
  each(`a chat saved as JSON comes into another shop, once, in its folder (${lang})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'agentchat-return-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'one.json');
    const home = await visit(t, { settings: { lang } });
    await home.shop.say(said);
    await home.shop.sees('the reply', written);
    await call(home.page, 'RenameChat', 'main', 'Moving');
    const { id } = await call(home.page, 'SaveProject', {
      ...{ id: '', title: 'Home', instructions: '', model: '', folders: [], shelves: [] },
      folder: true,
    });
    await call(home.page, 'SetChat', 'main', { project: id, instructions: '', model: '' });
    await call(home.page, 'Export', { chat: 'main' }, 'json', path, '', '');

    const { page, shop, window } = await visit(t, {
      settings: { lang, theme: 'dark' },
      context: { viewport: { width: 720, height: 520 } },
    });
    await shop.goTo('settings');
    await drop(page, [path]);
    await page.getByTestId('chats-found').filter({ hasText: found }).waitFor();
    assert.match(await page.getByTestId('chats-found').innerText(), /Agent Chat[\s\S]*Moving/);
    await window.screenshot(`return-found-${lang}`);
    await nothingSerious(page, 'a chat that comes back');
    await page.getByTestId('bring-chats').click();
    await finds(page, async () => {
      const { chats, projects } = await window.go.main.App.Snapshot();
      const into = projects.find((p) => p.folder && p.title === 'Home')?.id;
      return Boolean(into) && chats.some((c) => c.title === 'Moving' && c.project === into);
    });
    await drop(page, [path]);
    await page.locator(toast, { hasText: new RegExp(none, 'i') }).waitFor();

    await page.keyboard.press('Control+b');
    await page.locator('.list .name', { hasText: 'Moving' }).click();
    await page.locator(of('chat-message', { role: 'imported_ask' }), { hasText: said }).waitFor();

    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{"format":"agentchat-chat","version":9}');
    await shop.goTo('settings');
    await drop(page, [broken]);
    await page.locator(`${toast}.error`, { hasText: 'Agent Chat' }).waitFor();
  });
