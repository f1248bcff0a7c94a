// What the program says of itself: its version and licences, the report for whoever helps, and that the last run broke off.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

const broken = `program: 0.1.0 (0123456789ab) go1.26.8 linux/amd64

panic: cannot pay 엄마

goroutine 7 [running]:
agentchat/backend/bank.(*Bank).pay(0xc000123456, {0x1234, 0x5})
\t/home/kim/agentchat/backend/bank/bank.go:88 +0x1d
`;

/** A data folder whose last program broke off. */
function breakOff(data) {
  const folder = join(data, 'crashes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '20260102T030405Z.new.txt'), broken);
}

for (const { lang, theme, width, height } of ways(
  [
    { lang: 'ko', theme: 'light', width: 1280, height: 840 },
    { lang: 'en', theme: 'dark', width: 720, height: 520 },
  ],
  import.meta.url,
)) {
  each(`a crash, the report and the licences (${lang}, ${theme})`, async (t) => {
    const { shop, window, page, again } = await visit(t, {
      settings: { lang, theme },
      context: { viewport: { width, height } },
      prepare: breakOff,
    });
    const look = async (name) => {
      await nothingSerious(page, name);
      assert.equal(await overflows(page), false, name);
      await window.screenshot(`help-${name}-${lang}`);
    };
    const notice = page.getByTestId('crashed');
    await notice.waitFor();
    await look('crashed');
    await notice.getByRole('button').first().click();

    const report = page.getByTestId('report');
    const crash = report.locator('details', { hasText: 'crash-2026-01-02T030405Z.txt' });
    await crash.locator('pre').waitFor();
    const told = await report.evaluate((e) => e.textContent);
    assert.match(told, /bank\.\(\*Bank\)\.pay\(0xc000123456/);
    assert.match(told, /bank\/bank\.go:88/);
    assert.match(told, /workers +default +4/);
    assert.doesNotMatch(told, /엄마|kim/);
    await look('report');
    await page.keyboard.press('Escape');
    await notice.waitFor({ state: 'detached' });

    await shop.goTo('settings');
    const version = page.getByTestId('version');
    // What it was built of comes after the page.
    await version.filter({ hasText: /^\d+\.\d+\.\d+ \([0-9a-f]{12}\+?\)$/ }).waitFor();
    await version.scrollIntoViewIfNeeded();
    await page
      .getByText(lang === 'ko' ? /작품 \d{3}개/ : /The \d{3} works/)
      .first()
      .waitFor();
    await look('about');
    await page.getByTestId('licences-open').click();
    const licences = page.getByTestId('licences');
    await licences.getByRole('searchbox').fill('pretendard');
    const font = licences.getByRole('button', { name: /pretendard/ });
    await font.click();
    await licences.getByText('SIL OPEN FONT LICENSE').first().waitFor();
    await look('licences');

    const next = await again();
    await next.page.getByTestId('composer').waitFor();
    assert.equal(await next.page.getByTestId('crashed').count(), 0, 'it is told once');
  });
}
