// What a screen reader hears of the production window: on every page, in both languages, whatever can be pressed, filled in, chosen or opened has a
// name, and the name is in the language of the window. Read from the accessible tree itself, as Orca reads it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { A11Y_BUS, openDisplay } from '../lib/display.mjs';
import { drawnInPage } from '../lib/inpage.mjs';
import { folderOf, visitNative } from '../lib/native-visit.mjs';
import { patience } from '../lib/patience.mjs';
import { of } from '../lib/shop.mjs';
import { treeOf } from '../lib/spoken.mjs';
import { each, ways } from '../lib/ways.mjs';

const skip = A11Y_BUS ? false : 'no accessibility bus here (at-spi2-core): `make setup` installs it';

let display;
before(async () => {
  if (!skip) display = await openDisplay({ accessible: true });
});
after(() => display?.close());

/** What must have a name, as AT-SPI calls it. WebKit calls a button that opens a menu a combo box. */
const named =
  /^(push button|toggle button|combo box|entry|password text|spin button|slider|check box|radio button|link|page tab|page tab list|dialog|alert|landmark|tool bar|menu item|table|tree|image|document web|frame|switch|log)$/;

const korean = /[ㄱ-ㆎ가-힣]/;
const latin = /[A-Za-z]{2}/;

/** Names that are the same in every language: of the program, of others' programs, of the languages themselves. */
const proper =
  /Agent Chat|agentchat|SearXNG|Brave Search|Ollama|OpenAI|ChatGPT|Claude|English|Switch to English|한국어로 바꾸기|한국어|JSON|YAML|CSV|PDF|Markdown|Ctrl|Shift|Enter|Esc|F1/g;

/** What is wrong with the names of a tree in a window of a language. `said` are the person's own words, and what is called so by others. */
function wrong(tree, lang, said) {
  const faults = [];
  for (const { role, name, reached, within } of tree) {
    const where = `${role} in ${within.find((outer) => outer) ?? 'nothing'}`;
    // A bare box that scrolls is the web view's own; a row or a cell is read by what stands in it.
    if (!name && (named.test(role) || (reached && !/^(scroll pane|document web|panel|section)$/.test(role))))
      faults.push(`a nameless ${where}`);
    if (!named.test(role)) continue;
    let own = name;
    for (const words of said) own = own.replaceAll(words, '');
    own = own.replace(proper, '');
    const foreign = lang === 'ko' ? latin.test(own) && !korean.test(own) : korean.test(own);
    if (foreign) faults.push(`“${name}”: ${where}`);
  }
  return faults;
}

const said = {
  ko: {
    sum: '12 곱하기 3은?',
    note: '우유 사야 한다고 메모해줘',
    remind: '10분 뒤에 알려줘',
    song: '노래 불러줘',
  },
  en: {
    sum: 'what is 12 times 3?',
    note: 'note down buy milk',
    remind: 'remind me in 10 minutes',
    song: 'play a song',
  },
};

/** What must be heard, word for word: of a few pages, of a question's buttons, and of the lights. */
const heardOf = {
  ko: {
    pages: { settings: '설정', library: '도서관', permissions: '허락', help: '도움말' },
    buttons: ['거절', '승인', '값 고치기'],
    board: '전광판',
    needsYou: '확인 필요',
    running: '하는 중',
    box: '메시지',
    offline: '오프라인: 이 컴퓨터에서 아무것도 나가지 않아요.',
  },
  en: {
    pages: { settings: 'Settings', library: 'Library', permissions: 'Permissions', help: 'Help' },
    buttons: ['Reject', 'Approve', 'Edit values'],
    board: 'Board',
    needsYou: 'Needs you',
    running: 'Working',
    box: 'Message',
    offline: 'Offline: nothing leaves this computer.',
  },
};

/** The tree of what is drawn as soon as it has what is wanted, or as it is when that does not come. */
async function heardOnce(display, window, wanted) {
  for (const end = Date.now() + patience; ;) {
    await window.evaluate(drawnInPage);
    const tree = await treeOf(display, window);
    if ((await wanted(tree)) || Date.now() > end) return tree;
  }
}

for (const lang of ways(['ko', 'en'], import.meta.url)) {
  each(`everything has a name, and in the right language: ${lang}`, { skip }, async (t) => {
    const { window, shop } = await visitNative(t, display, {
      lang,
      theme: 'light',
      pace: 0.1,
      offline: true,
      'tools.note_add.confirm': 'always',
    });
    const words = Object.values(said[lang]);
    words.push(
      ...(await window.evaluate(async () =>
        (await window.go.main.App.Library()).documents.map((document) => document.title),
      )),
    );
    const faults = [];
    /** What is heard, once it has what is wanted: it follows what is drawn after a while, of which nothing tells. */
    const hear = async (where, wanted = () => true) => {
      const tree = await heardOnce(display, window, async (heard) => heard.length > 30 && wanted(heard));
      assert.ok(tree.length > 30, `${where}: only ${tree.length} things`);
      for (const fault of wrong(tree, lang, words)) faults.push(`${where}: ${fault}`);
      return tree;
    };

    const told = heardOf[lang];
    const box = (tree) => tree.some(({ role, name }) => role === 'entry' && name === told.box);
    const read = (tree, live) => tree.some((thing) => thing.live === live);
    const light = (tree) => tree.some(({ role, name }) => role === 'push button' && name === told.offline);
    const lives = ['polite', 'assertive'];
    const first = await hear(
      'the first page',
      (tree) => box(tree) && light(tree) && lives.every((live) => read(tree, live)),
    );
    assert.ok(box(first), 'the box one types in is told');
    for (const live of lives) assert.ok(read(first, live), `something is read ${live}ly`);
    assert.ok(light(first), 'the light that says that nothing leaves is told');
    const names = new Map();
    for (const page of await shop.pages()) {
      await shop.goTo(page);
      await shop.sees(page, `main[data-page="${page}"]`);
      const name = await window.evaluate(() => document.querySelector('main').getAttribute('aria-label'));
      const there = (tree) => tree.some((thing) => thing.role === 'landmark' && thing.name === name);
      assert.ok(there(await hear(page, there)), `${page} is told as ${name}`);
      assert.ok(!names.has(name), `${name} is one page`);
      names.set(name, page);
    }
    for (const [page, name] of Object.entries(told.pages)) assert.equal(names.get(name), page);

    // With work in it, a question, a ticket that is open, and what lies over the window.
    await shop.goTo('chat');
    const [sum] = await shop.order(said[lang].sum);
    await shop.jobIs(sum, 'succeeded');
    await shop.order(said[lang].remind);
    await hear('a chat with work');
    await shop.openJob(sum);
    const tabs = (tree) => tree.filter((thing) => thing.role === 'page tab').length > 1;
    assert.ok(tabs(await hear('a ticket', tabs)), 'its tabs are told');
    const [note] = await shop.order(said[lang].note);
    await shop.jobIs(note, 'waiting');
    await shop.order(said[lang].song);
    await shop.sees(
      'its buttons, which take clicks',
      `${of('ask-card')}[data-ready] ${of('ask-buttons')} button`,
    );
    let asks = '';
    const untold = (tree) => {
      const card = tree.filter(({ within }) => within.includes(asks));
      return told.buttons.filter(
        (name) => !card.some((thing) => thing.role === 'push button' && thing.name === name),
      );
    };
    const lights = (tree) =>
      tree.filter(({ role, within }) => role === 'push button' && within.includes(told.board));
    const dark = (tree) =>
      [told.needsYou, told.running].filter((word) => !lights(tree).some(({ name }) => name.includes(word)));
    const question = await hear('a question', async (tree) => {
      [{ text: asks }] = await shop.find(`${of('ask-card')} .question`);
      return !untold(tree).length && !dark(tree).length;
    });
    assert.deepEqual(untold(question), [], 'the buttons of the question are told');
    const lit = lights(question).map(({ name }) => name);
    assert.deepEqual(dark(question), [], `lights that say so: ${lit.join(' | ')}`);
    for (const [what, key, role] of [
      ['the search', 'Control+k', 'dialog'],
      ['the shortcuts', 'Control+/', 'dialog'],
    ]) {
      await window.press(key);
      await shop.sees(what, '[role="dialog"]');
      const there = (tree) => tree.some((thing) => thing.role === role);
      assert.ok(there(await hear(what, there)), `${what} is a ${role}`);
      await window.press('Escape');
      await shop.sees(`${what} put away`, '[role="dialog"]', { count: 0 });
    }
    for (const page of ['notes', 'tickets', 'letters', 'logs', 'audit']) {
      await shop.goTo(page);
      await shop.sees(page, `main[data-page="${page}"]`);
      await hear(`${page} with something in it`);
    }
    assert.deepEqual(faults, []);
    await window.screenshot(`spoken-${lang}`);
  });

  each(`every dialog and form has names, and in the right language: ${lang}`, { skip }, async (t) => {
    const { window, shop } = await visitNative(t, display, {
      ...{ lang, theme: 'light' },
      ...{ 'pager.open': true, 'pager.port': 0, 'guests.open': true, 'guests.port': 0 },
    });
    const called = { chat: 'Moving', folder: 'Home', gone: 'Packing', helper: 'Helper', shelf: 'Leases' };
    const call = (method, ...args) =>
      window.evaluate(([m, a]) => window.go.main.App[m](...a), [method, args]);
    const [note] = await shop.order(said[lang].note);
    await shop.jobIs(note, 'succeeded'); // or what opens below is drawn again meanwhile
    await call('RenameChat', 'main', called.chat);
    const { id } = await call('SaveProject', {
      ...{ id: '', title: called.folder, instructions: '', model: '', folders: [], shelves: [] },
      folder: true,
    });
    await call('SetChat', 'main', { project: id, instructions: '', model: '' });
    const words = [
      ...Object.values(called),
      ...Object.values(said[lang]),
      ...(await window.evaluate(async () => {
        const { App } = window.go.main;
        const { documents } = await App.Library();
        const { payees } = await App.Bank();
        return [
          ...documents.map((document) => document.title),
          ...payees.flatMap(({ name, aliases }) => [name, ...aliases]),
        ];
      })),
    ];
    const faults = [];
    const hear = async (where, role) => {
      const there = (heard) => heard.some((thing) => thing.role === role && thing.name);
      const tree = await heardOnce(display, window, there);
      for (const fault of wrong(tree, lang, words)) faults.push(`${where}: ${fault}`);
      if (!there(tree)) faults.push(`${where}: no ${role}`);
      await window.screenshot(`spoken-${lang}-${where.replace(/\W+/g, '-')}`);
    };
    /** Presses one of the buttons that fit, as soon as there is one. */
    const press = async (selector, at = 0) => {
      await shop.sees(`something to press: ${selector}`, selector);
      await window.evaluate(
        ([s, n]) =>
          [...document.querySelectorAll(s)]
            .filter((e) => e.getClientRects().length > 0)
            .at(n)
            .click(),
        [selector, at],
      );
    };
    /** Hears what comes up, and puts it away again. */
    const heardThere = async (what, seen = '.dialog', role = 'dialog') => {
      await shop.sees(what, seen);
      await hear(what, role);
      await window.press('Escape');
      await shop.sees(`${what} put away`, seen, { count: 0 });
    };

    // The list of chats: menus, what is set for a chat and a project, deleting.
    const row = '.list .name[data-chat]';
    const folder = of('folder');
    const menu = '[role="menu"]';
    await shop.sees('the chat in its folder', row);
    await window.click('.list .chat-more');
    await heardThere('the menu of a chat', menu, 'menu item');
    await window.click('.list .chat-more');
    await press(of('chat-settings'));
    await heardThere('what is set for a chat');
    await window.click(`${folder} .group-more`);
    await heardThere('the menu of a folder', menu, 'menu item');
    await window.click(`${folder} .group-more`);
    await press(of('folder-to-project'));
    await heardThere('a project');
    await window.evaluate((s) => document.querySelector(s).focus(), row);
    await window.press('Delete');
    await heardThere('deleting a chat');

    // Chats of a file are shown before they come in; a backup is asked about before it comes back; a phone and another shop are let in.
    const file = join(folderOf(t, 'taken'), 'one.json');
    const message = { id: 'a', role: 'customer', text: 'x', time: '2026-01-02T03:04:05Z' };
    writeFileSync(
      file,
      JSON.stringify({
        ...{ format: 'agentchat-chat', version: 1, id: 'elsewhere', title: called.chat },
        messages: [message],
      }),
    );
    await call('BackupNow');
    await shop.goTo('settings');
    // What the system's own dialog would have given.
    await window.evaluate((path) => {
      const { App } = window.go.main;
      const look = App.LookAtChats;
      App.LookAtChats = (_, ...rest) => look(path, ...rest);
    }, file);
    await press(of('import-chats'));
    await heardThere('importing chats');
    await press(`${of('backup')} button`);
    await heardThere('restoring a backup');
    // As on a computer that has a network.
    await window.evaluate(() => {
      const { App } = window.go.main;
      const invite = App.InvitePhone;
      App.InvitePhone = async () => {
        const made = await invite();
        for (const way of made.ways) way.address = '192.168.0.7';
        return made;
      };
    });
    await press('p.act button');
    await shop.sees('the picture for a phone', of('invitation'));
    await hear('pairing a phone', 'image');
    await press('[aria-labelledby="branch-lend"] button');
    await shop.sees('the code for another shop', of('branch-invitation'));
    await hear('pairing another shop', 'entry');
    await press(of('report-open'));
    await heardThere('a report for helpers');
    await press(of('licences-open'));
    await shop.sees('the list of them', `${of('licences')} button`);
    words.push(...(await shop.find(`${of('licences')} button`)).map(({ text }) => text)); // called so by others
    await heardThere('the licences');

    // A program that uses the shop: its form, its key, and keeping it out again.
    await shop.goTo('outside');
    const guests = of('guests');
    await press(`${guests} .add button`);
    await shop.sees('the form of a program', `${of('guest-form')} input`);
    await hear('letting a program in', 'entry');
    await window.type(`${of('guest-form')} input`, called.helper);
    await press(`${of('guest-form')} [type="submit"]`);
    await shop.sees('its key', of('guest-key'));
    await hear('the key of a program', 'push button');
    await press(`${of('guest')} button`, 1);
    await heardThere('keeping a program out');

    await shop.goTo('toolbox');
    await press(`${of('rack')} button`);
    await heardThere('a tool', of('tool-drawer'));
    await shop.goTo('tickets');
    await press(of('keep-favourite'));
    await heardThere('keeping a favourite');

    await shop.goTo('bank');
    await press(`${of('payee')} button`);
    await heardThere('somebody in the address book');
    await press(`${of('payee')} button`, 1);
    await heardThere('taking somebody out of it');

    const gone = await call('NewChat');
    await call('RenameChat', gone.id, called.gone);
    await call('Say', gone.id, said[lang].sum, '', '');
    await call('DeleteChat', gone.id);
    await shop.goTo('trash');
    await press(`${of('trashed-chat')} button`, 1);
    await heardThere('deleting for good');

    // Where models are served, a shelf that is taken away, and the end of the program while something goes on.
    await shop.goTo('models');
    await press(of('add-server'));
    await shop.sees('the form of a server', `${of('server-form')} input`);
    await hear('adding a model server', 'entry');
    await call('AddShelf', folderOf(t, 'shelf'), called.shelf, 'ask');
    await shop.goTo('library');
    await press(of('shelf-more'));
    await press(of('shelf-remove'));
    await heardThere('removing a shelf');
    await call('Say', 'main', said[lang].remind, '', '');
    await shop.goTo('chat');
    await shop.sees('work that goes on', `${of('job-card')}:not([data-state="succeeded"])`);
    await call('CloseAs', 'quit');
    await heardThere('leaving while something goes on', `.dialog:has(${of('leave')})`);

    // Names that are written in the list. A folder's once ended WebKit's process when it was put away after it had been read.
    await shop.goTo('chat');
    for (const [what, at, field] of [
      ['the name of a chat', row, '.list li input'],
      ['the name of a folder', `${folder} [data-group]`, `${folder} input`],
    ]) {
      await window.evaluate((s) => document.querySelector(s).focus(), at);
      await window.press('F2');
      await shop.sees(what, field);
      await hear(what, 'entry');
      await window.press('Escape');
      await shop.sees(`${what} put away`, field, { count: 0 });
    }
    assert.deepEqual(faults, []);
  });
}
