// A shop whose every word comes from somebody hostile, around the real window: what a model, a document or an outside
// server could have said is put where the window shows it, and whatever comes of it is counted.

/** Runs before the page's own scripts: what an injected script would call leaves a mark. */
export function watchInPage() {
  window.__ran = [];
  for (const name of ['alert', 'confirm', 'prompt', 'open', 'print', 'msgbox'])
    window[name] = (...args) => window.__ran.push(`${name}(${args})`);
}

/**
 * Takes the line between Go and the page: real events no longer arrive, calls are counted by name, and those in `answers`
 * are answered here instead of in Go.
 */
export function takeLineInPage() {
  window.__called = {};
  window.__answers = {};
  for (const [name, real] of Object.entries(window.go.main.App)) {
    window.go.main.App[name] = (...args) => {
      window.__called[name] = (window.__called[name] ?? 0) + 1;
      return name in window.__answers
        ? Promise.resolve(structuredClone(window.__answers[name]))
        : real(...args);
    };
  }
  const notify = window.wails.EventsNotify;
  let passed = 0;
  window.wails.EventsNotify = (message) => {
    if (JSON.parse(message).name === 'events') passed++;
    notify(message);
  };
  const pause = () => new Promise((r) => setTimeout(r, 300));
  /** The number of the last event, once the page has heard of it: what it missed it would look up, and forget what it is told. */
  const still = async () => {
    for (;;) {
      const [before, { seq }] = [passed, await window.go.main.App.Snapshot()];
      await pause();
      if (passed === before && (await window.go.main.App.Snapshot()).seq === seq && passed === before)
        return seq;
    }
  };
  return still().then((last) => {
    let seq = last;
    window.wails.EventsNotify = (message) => JSON.parse(message).name !== 'events' && notify(message);
    window.__called = {};
    window.__tell = (envelopes) => {
      const data = [envelopes.map((e) => ({ time: new Date().toISOString(), ...e, seq: ++seq }))];
      notify(JSON.stringify({ name: 'events', data }));
    };
  });
}

/** Tells the page what happened, as Go would. */
export const tellInPage = (envelopes) => window.__tell(envelopes);

/** What people do to a text: look over it, press everything in it that is no control of the shop's own. */
export function meddleInPage(selector) {
  let links = 0;
  for (const place of document.querySelectorAll(selector)) {
    for (const node of place.querySelectorAll('*')) {
      for (const type of ['mouseover', 'mouseenter', 'pointerenter', 'focus', 'animationstart', 'wheel'])
        node.dispatchEvent(new Event(type, { bubbles: true }));
      if (!node.matches('a')) continue;
      links++;
      for (const [type, button] of [
        ['click', 0],
        ['auxclick', 1],
        ['click', 0],
      ])
        node.dispatchEvent(
          new MouseEvent(type, { bubbles: true, cancelable: true, button, ctrlKey: button > 0 }),
        );
    }
  }
  return links;
}

/** What in a place could do something, whatever it was written as. */
export function dangersInPage(selector) {
  const found = [];
  const banned =
    'script,iframe,frame,object,embed,img,video,audio,source,link,meta,base,.markdown form,form[action],style,math,foreignObject,image,use,template,[src],[srcset],[srcdoc],[formaction],[background],[xlink\\:href]';
  const places = [...document.querySelectorAll(selector)];
  for (const place of places) {
    for (const node of place.querySelectorAll('*')) {
      const text = node.outerHTML.slice(0, 200);
      if (node.matches(banned)) found.push(text);
      for (const { name, value } of node.attributes) {
        if (name.startsWith('on')) found.push(`${name}: ${text}`);
        if (name === 'href' && !/^https?:\/\//.test(value)) found.push(`href: ${text}`);
        if (name === 'style' && /url\(|position:\s*(fixed|absolute)|expression/i.test(value))
          found.push(`style: ${text}`);
        if (node.closest('.markdown') && ['id', 'name', 'data-testid', 'data-choice'].includes(name))
          found.push(`${name}: ${text}`);
      }
      if (node.matches('a') && (node.title !== node.getAttribute('href') || node.username))
        found.push(`address: ${text}`);
    }
  }
  return { places: places.length, found };
}
