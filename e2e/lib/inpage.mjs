// Functions that run inside the window's page. Each stands alone (it is sent as text) and takes one argument.

/**
 * Resolves to true once so many visible elements fit the selector as wanted (at least `count`; exactly none for 0), or
 * to false when the time is over. It watches the page's changes instead of asking again and again: those of its elements, and where the focus goes, what
 * is filled in and how large the window is, which change what fits without changing an element.
 */
export function untilInPage({ selector, count, timeout }) {
  const holds = () => {
    const seen = [...document.querySelectorAll(selector)].filter((e) => e.getClientRects().length > 0).length;
    return count === 0 ? seen === 0 : seen >= count;
  };
  return new Promise((resolve) => {
    if (holds()) return resolve(true);
    const others = ['focusin', 'focusout', 'input', 'change', 'resize', 'transitionend'];
    const done = (value) => {
      clearTimeout(timer);
      watcher.disconnect();
      for (const kind of others) removeEventListener(kind, look, true);
      resolve(value);
    };
    const look = () => holds() && done(true);
    const timer = setTimeout(() => done(holds()), timeout);
    const watcher = new MutationObserver(look);
    for (const kind of others) addEventListener(kind, look, true);
    watcher.observe(document, { subtree: true, childList: true, attributes: true });
  });
}

/** Every element that fits, in document order: its data attributes, its text, and whether it can be seen. */
export function findInPage(selector) {
  return [...document.querySelectorAll(selector)].map((e) => ({
    ...e.dataset,
    text: e.textContent.replace(/\s+/g, ' ').trim(),
    visible: e.getClientRects().length > 0,
    disabled: e.disabled === true || e.getAttribute('aria-disabled') === 'true',
  }));
}

/** Resolves when what is on the page is also on the screen: fonts loaded, transitions ended, two frames drawn. */
export async function drawnInPage() {
  await document.fonts.ready;
  const passing = document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity);
  await Promise.allSettled(passing.map((a) => a.finished));
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
}

/**
 * Scrolls the first visible element that fits to the middle, away from what floats at the edges, and resolves once it has
 * stood still for a moment, so that a click meets it.
 */
export async function readyInPage(selector) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const target = () => [...document.querySelectorAll(selector)].find((e) => e.getClientRects().length > 0);
  const place = () => JSON.stringify(target()?.getBoundingClientRect());
  target()?.scrollIntoView({ block: 'center', behavior: 'instant' });
  let last;
  for (let still = 0, until = performance.now() + 3_000; still < 3 && performance.now() < until;) {
    const now = place();
    still = now === last ? still + 1 : 0;
    last = now;
    await frame();
  }
}

/** What stands on the page, for the message of a failed test: each test id with its data attributes. */
export function outlineInPage() {
  const describe = (e) => {
    const data = Object.entries(e.dataset).filter(([key]) => key !== 'testid');
    const words = e.textContent.replace(/\s+/g, ' ').trim().slice(0, 90);
    return `  ${e.dataset.testid} ${data.map(([k, v]) => `${k}=${v}`).join(' ')} “${words}”`;
  };
  return [...document.querySelectorAll('[data-testid]')].slice(0, 80).map(describe).join('\n');
}

/** Measures, from the next Enter on, how long the first new element that fits takes to appear, in milliseconds. */
export function watchReplyInPage(selector) {
  const before = new Set(document.querySelectorAll(selector));
  window.__reply = new Promise((resolve) => {
    const pressed = (event) => {
      if (event.key !== 'Enter') return;
      window.removeEventListener('keydown', pressed, true);
      const start = performance.now();
      const watcher = new MutationObserver(() => {
        if ([...document.querySelectorAll(selector)].every((e) => before.has(e))) return;
        watcher.disconnect();
        resolve(Math.round(performance.now() - start));
      });
      watcher.observe(document, { subtree: true, childList: true });
    };
    window.addEventListener('keydown', pressed, true);
  });
  return true;
}

/** What watchReplyInPage measured. */
export function replyInPage() {
  return window.__reply;
}
