// Takes all pictures anew: those of README, of the real window on a virtual display with a customer's errands in it, into docs/images; and every page
// in both languages, light and dark, in windows of three widths, into build/screenshots. With `pages` or `readme` only these. What README's pictures show
// is written down beside them, and e2e/tests/readme.test.mjs says when the window no longer shows that.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  launchBrowser,
  openChromiumWindow,
} from "../e2e/lib/chromium-window.mjs";

import { openDisplay } from "../e2e/lib/display.mjs";
import { finds } from "../e2e/lib/finds.mjs";
import { openNativeWindow } from "../e2e/lib/native-window.mjs";
import { dataFolder, inRepo } from "../e2e/lib/paths.mjs";
import { scenes, shownFile, shownInPage } from "../e2e/lib/readme.mjs";
import { of, Shop } from "../e2e/lib/shop.mjs";

const only = process.argv[2];
const display = await openDisplay();

const sizes = [
  { width: 720, height: 520 },
  { width: 1280, height: 840 },
  { width: 1920, height: 1080 },
];

/** What a customer says in the pictures. */
const errands = {
  ko: {
    every: "매일 아침 8시에 3 더하기 4 계산해줘",
    yes: "네, 그렇게 해 줘",
    gone: "여행 준비물",
    star: {
      name: "날씨",
      text: "{곳} 날씨 알려줘",
      blank: "곳",
      value: "서울",
    },
    way: "부산역까지 길 안내해줘",
    sum: "3만5천 나누기 7은?",
    note: "메모해줘: 우유 사기",
  },
  en: {
    every: "every morning at 8 add 3 and 4",
    yes: /^Yes/,
    gone: "What to pack",
    star: {
      name: "weather",
      text: "weather in {where}",
      blank: "where",
      value: "Seoul",
    },
    way: "take me to Busan station",
    sum: "what is 35,000 divided by 7?",
    note: "note down buy milk",
  },
};

/** A day before: a standing order is agreed on, something is called by a name, a chat is deleted; then nobody is there. */
async function dayBefore(shop, page, words) {
  await shop.say(words.every);
  await page.getByRole("button", { name: words.yes }).click();
  await finds(page, async () =>
    (await window.go.main.App.StandingOrders()).some(
      (o) => o.state === "active",
    ),
  );
  await page.evaluate(async ({ gone, star }) => {
    const { App } = window.go.main;
    await App.KeepFavourite("", star.name, star.text, {
      [star.blank]: star.value,
    });
    const chat = await App.NewChat();
    await App.Say(chat.id, gone, "", "");
    await App.RenameChat(chat.id, gone);
    await App.DeleteChat(chat.id);
  }, words);
}

/** Whether a page is there, and what it shows has been read. */
const isRead = (name) => {
  const main = document.querySelector("main");
  return (
    main.dataset.page === name &&
    ![
      ...main.querySelectorAll(
        '[role="status"]:is(.lead, .note):not(.num, .found)',
      ),
    ].some((e) => e.textContent.trim())
  );
};

/** Every page of a shop with work in it, in one language and look. */
async function gallery(browser, lang, theme) {
  const data = dataFolder({ lang, theme });
  const clock = join(data.path, "ahead");
  data.env.CRASHTEST_AHEAD = clock;
  writeFileSync(clock, "0");
  const open = () =>
    openChromiumWindow(display, browser, data, { reducedMotion: "reduce" });
  let window = await open();
  try {
    let shop = new Shop(window);
    await shop.opened();
    await dayBefore(shop, window.page, errands[lang]);
    await window.kill();
    writeFileSync(clock, String(86_400));
    window = await open();
    shop = new Shop(window);
    await shop.opened();
    await shop.goTo("sheet");
    await shop.sees("what happened meanwhile", of("sheet-line"));
    await shop.goTo("chat");
    await window.press("Control+n");
    await shop.sees("an empty chat", of("job-card"), { count: 0 });
    const [nav] = await shop.order(errands[lang].way);
    await shop.jobIs(nav, "running");
    const [sum] = await shop.order(errands[lang].sum);
    await shop.jobIs(sum, "succeeded");
    const [note] = await shop.order(errands[lang].note);
    await shop.jobIs(note, "succeeded");
    const pages = await shop.pages();
    for (const size of sizes) {
      await window.page.setViewportSize(size);
      for (const name of pages) {
        await shop.goTo(name);
        await window.page.waitForFunction(isRead, name);
        await window.page.mouse.move(size.width - 1, 60); // nothing is pointed at
        await window.screenshot(`page-${name}-${lang}-${theme}-${size.width}`);
      }
    }
    process.stdout.write(`build/screenshots/page-*-${lang}-${theme}-*.png\n`);
  } finally {
    await window.close();
    data.remove();
  }
}

/** Opens the window on a new data folder and lets it be looked at. */
async function visit(look) {
  const data = dataFolder();
  const window = await openNativeWindow(display, data);
  try {
    const shop = new Shop(window);
    await shop.opened();
    await look(shop, async (name) => {
      copyFileSync(
        await window.screenshot(name),
        inRepo(`docs/images/${name}.png`),
      );
      process.stdout.write(`docs/images/${name}.png\n`);
    });
  } finally {
    await window.close();
    data.remove();
  }
}

async function readme() {
  const shown = {};
  for (const scene of scenes)
    await visit((shop, picture) =>
      scene(shop, async (name) => {
        shown[name] = await shop.window.evaluate(shownInPage);
        await picture(name);
      }),
    );
  writeFileSync(shownFile, `${JSON.stringify(shown, null, 2)}\n`);
}

try {
  if (only !== "readme") {
    const browser = await launchBrowser();
    try {
      for (const lang of ["ko", "en"])
        for (const theme of ["light", "dark"])
          await gallery(browser, lang, theme);
    } finally {
      await browser.close();
    }
  }
  if (only !== "pages") await readme();
} finally {
  await display.close();
}
