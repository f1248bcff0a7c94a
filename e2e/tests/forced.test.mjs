// Colours that the system chooses (forced colours), on every page: what only a colour or a shadow told is still told. Shapes that are drawn by their
// ground (lamps, thumbs of switches, bars) stand out from what is behind them, what is chosen looks like nothing beside it, and the focus is seen.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { drawnInPage } from '../lib/inpage.mjs';
import { folderOf } from '../lib/room.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

/** Tools that the others share, put on the page as `window.__colours`. */
function coloursInPage() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  /** A colour as four numbers, however it is written. */
  const known = new Map();
  const read = (colour) => {
    if (known.has(colour)) return known.get(colour);
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    return known.get(colour);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) =>
      c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [light(read(a).slice(0, 3)), light(read(b).slice(0, 3))].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const seen = (colour) => read(colour)[3] > 200;
  /** What is behind an element: the nearest ground that hides what is under it. */
  const behind = (e) => {
    for (let outer = e; outer; outer = outer.parentElement) {
      const ground = getComputedStyle(outer).backgroundColor;
      if (seen(ground)) return ground;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  const name = (e) => {
    const within = e.closest('[data-testid]')?.dataset.testid ?? '';
    return `${e.tagName.toLowerCase()}.${String(e.className?.baseVal ?? e.className).replace(/ ?svelte-\w+/g, '')} in ${within}`;
  };
  const drawn = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility === 'visible';
  window.__colours = { read, contrast, seen, behind, name, drawn };
}

/** Finds the shapes that are told by their ground alone, while the program's own colours hold; gives how many. */
function shapesInPage() {
  const { contrast, seen, behind, drawn } = window.__colours;
  window.__shapes = [];
  for (const e of document.body.querySelectorAll('*')) {
    if (
      !drawn(e) ||
      e.closest('svg') ||
      /^(INPUT|TEXTAREA|SELECT|CANVAS|VIDEO|IMG|PROGRESS|METER)$/.test(e.tagName)
    )
      continue;
    for (const part of [null, '::before', '::after']) {
      const style = getComputedStyle(e, part);
      if (
        part
          ? ['none', 'normal'].includes(style.content)
          : e.textContent.trim() || e.querySelector('svg, img, input')
      )
        continue;
      if (part && !/^(""|'')$/.test(style.content)) continue;
      const [width, height] = [parseFloat(style.width), parseFloat(style.height)];
      if (!(width >= 2 && height >= 2) || width * height > 60_000) continue;
      if (!seen(style.backgroundColor) || Number(style.opacity) < 0.5) continue;
      const under = behind(part ? e : e.parentElement);
      if (contrast(style.backgroundColor, under) >= 1.5) window.__shapes.push([e, part]);
    }
  }
  return window.__shapes.length;
}

/** What is no longer told now that the system chooses the colours. */
function untoldInPage() {
  const { contrast, seen, behind, name, drawn } = window.__colours;
  const found = [];
  for (const [e, part] of window.__shapes) {
    if (!drawn(e)) continue;
    const style = getComputedStyle(e, part);
    const under = behind(part ? e : e.parentElement);
    const edge =
      parseFloat(style.borderTopWidth) >= 1 &&
      style.borderTopStyle !== 'none' &&
      seen(style.borderTopColor) &&
      contrast(style.borderTopColor, under) >= 3;
    const ground = seen(style.backgroundColor) && contrast(style.backgroundColor, under) >= 3;
    if (!edge && !ground)
      found.push(`a shape is gone: ${name(e)}${part ?? ''} (${style.backgroundColor} on ${under})`);
  }
  const look = (e) => {
    const { color, backgroundColor, borderColor, borderBottomColor, borderWidth, outlineStyle } =
      getComputedStyle(e);
    return [color, backgroundColor, borderColor, borderBottomColor, borderWidth, outlineStyle].join();
  };
  for (const state of ['checked', 'selected', 'pressed', 'current']) {
    for (const e of document.querySelectorAll(`[aria-${state}]:not([aria-${state}="false"])`)) {
      if (!drawn(e) || /^(INPUT)$/.test(e.tagName)) continue;
      const others = [
        ...document.querySelectorAll(e.role ? `[role="${e.getAttribute('role') ?? ''}"]` : e.tagName),
      ].filter(
        (o) =>
          drawn(o) &&
          o.className === e.className &&
          [null, 'false'].includes(o.getAttribute(`aria-${state}`)) &&
          o.disabled === e.disabled,
      );
      if (others.some((o) => look(o) === look(e)))
        found.push(`what is ${state} looks like what is not: ${name(e)}`);
    }
  }
  // What is written can be read.
  for (const e of document.body.querySelectorAll('*')) {
    if (!drawn(e) || e.closest('svg, .unseen, .skip, [disabled], [aria-disabled="true"]')) continue;
    if (![...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
    const { color, opacity, forcedColorAdjust } = getComputedStyle(e);
    // The system lays a plate of its own ground behind a text whose colours it chooses.
    const under = forcedColorAdjust === 'none' ? behind(e) : behind(document.body);
    if (Number(opacity) > 0 && contrast(color, under) < 4.5)
      found.push(`not to be read: ${name(e)} “${e.textContent.trim().slice(0, 20)}” (${color} on ${under})`);
  }
  // Drawings: their lines and grounds against what they lie on.
  for (const e of document.body.querySelectorAll('svg :is(path, rect, circle, line, polyline, polygon)')) {
    const svg = e.closest('svg');
    if (!drawn(svg) || svg.closest('.glass') || e.closest('defs, mask, clipPath')) continue;
    const { fill, stroke, strokeWidth } = getComputedStyle(e);
    const told = [
      fill !== 'none' && seen(fill) && contrast(fill, behind(svg)) >= 3,
      stroke !== 'none' && parseFloat(strokeWidth) > 0 && seen(stroke) && contrast(stroke, behind(svg)) >= 3,
    ];
    const painted = (fill !== 'none' && seen(fill)) || (stroke !== 'none' && seen(stroke));
    if (painted && !told.some(Boolean))
      found.push(`a line is gone: ${e.tagName} in ${name(svg)} (${fill}, ${stroke} on ${behind(svg)})`);
  }
  return [...new Set(found)];
}

/** Whether what has the focus, or what stands round it, has a line round it that is seen. */
function ringInPage() {
  const { contrast, behind, name } = window.__colours;
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  window.__been ??= new Set();
  if (window.__been.has(e)) return { done: true };
  window.__been.add(e);
  const ring = [e, e.parentElement, e.parentElement?.parentElement].some((x) => {
    if (!x) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(x);
    return (
      outlineStyle !== 'none' &&
      parseFloat(outlineWidth) >= 1 &&
      contrast(outlineColor, behind(x.parentElement ?? x)) >= 3
    );
  });
  return { ring, name: name(e) };
}

for (const look of ways(
  [
    { lang: 'ko', theme: 'light', colorScheme: 'dark' },
    { lang: 'en', theme: 'dark', colorScheme: 'light' },
  ],
  import.meta.url,
)) {
  each(`in the colours of a system that is ${look.colorScheme}, every page, ${look.lang}`, async (t) => {
    const { shop, window, page } = await visit(t, {
      settings: { lang: look.lang, theme: look.theme, pace: 0.1, offline: true },
      context: { reducedMotion: 'reduce' },
    });
    // Colours change at once: Chromium begins the transitions of inherited ones over and over when the system's come and go.
    await page.evaluate(() => {
      const still = new CSSStyleSheet();
      still.replaceSync('*, *::before, *::after { transition: none !important; }');
      document.adoptedStyleSheets.push(still);
    });
    const path = folderOf(t);
    writeFileSync(join(path, '매출.csv'), '지점,금액\n서울,12000\n부산,9800\n대구,4000\n');
    await page.evaluate((p) => window.go.main.App.OpenFolder(p, true, ''), path);
    const [table] = await shop.order('매출.csv에서 지점별 금액 합계');
    await shop.jobIs(table, 'succeeded');
    await shop.sees('the chart', of('chart', { kind: 'bar' }));
    const [sum] = await shop.order('12 곱하기 3은?');
    await shop.jobIs(sum, 'succeeded');
    const [lost] = await shop.order('없는것.txt 읽어줘');
    await shop.jobIs(lost, 'failed');
    await shop.order('장보기 우유 사야 한다고 메모해줘');
    await shop.order('목적지 A로 네비 켜줘');
    const [film] = await shop.order('영화도 틀어줘');
    await shop.questionOf(film);

    const faults = [];
    let shapes = 0;
    const check = async (where) => {
      await page.emulateMedia({ forcedColors: 'none', colorScheme: look.colorScheme });
      await page.evaluate(drawnInPage);
      await page.evaluate(coloursInPage);
      shapes += await page.evaluate(shapesInPage);
      await page.emulateMedia({ forcedColors: 'active', colorScheme: look.colorScheme });
      await page.evaluate(drawnInPage);
      for (const fault of await page.evaluate(untoldInPage)) faults.push(`${where}: ${fault}`);
      await window.screenshot(`forced-${look.lang}-${where.replace(/\W+/g, '-')}`);
    };
    await check('a question');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await shop.sees('the panel closed', of('job-panel'), { count: 0 });
    for (const name of await shop.pages()) {
      await shop.goTo(name);
      await shop.sees('the page', `main[data-page="${name}"]`); // the one before stays until it is there
      await check(name);
      await page.evaluate(() => {
        document.querySelector('main').tabIndex = -1;
        document.querySelector('main').focus();
        document.querySelector('main').removeAttribute('tabindex');
        window.__been = new Set();
      });
      let stops = 0;
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate(ringInPage);
        if (!stop || stop.done) break;
        stops++;
        if (!stop.ring) faults.push(`${name}: the focus is not seen: ${stop.name}`);
      }
      assert.ok(stops > 2, `${name}: the focus went to ${stops} places`);
    }
    assert.deepEqual(faults, []);
    assert.ok(shapes > 10, `${shapes} shapes were looked at`);
  });
}
