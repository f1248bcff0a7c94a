// Tools are switched on and off on their page; a shell command says what it reaches before it may run.
import assert from 'node:assert/strict';

import { nothingSerious, overflows } from '../lib/checks.mjs';
import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';
import { each, ways } from '../lib/ways.mjs';

for (const { lang, command, sandboxed, bare } of ways(
  [
    {
      lang: 'ko',
      command: '셸에서 echo 안녕하세요 실행해줘',
      sandboxed: '격리해서',
      bare: '격리 없이',
    },
    {
      lang: 'en',
      command: 'run `echo hello there` in the shell',
      sandboxed: 'in a sandbox',
      bare: 'WITHOUT a sandbox',
    },
  ],
  import.meta.url,
)) {
  each(`the shell is switched on, asks, and says whether it is shut in (${lang})`, async (t) => {
    const { shop, window, page } = await visit(t, { settings: { lang } });
    await shop.goTo('toolbox');
    const rack = page.locator(of('rack', { tool: 'shell' }));
    await rack.getByText(lang === 'ko' ? '꺼짐' : 'Off', { exact: true }).waitFor();
    await rack.getByRole('button').first().click();
    const onOff = page.getByTestId('tool-on').getByRole('switch');
    assert.equal(await onOff.getAttribute('aria-checked'), 'false');
    await onOff.click();
    await page
      .getByTestId('tool-on')
      .locator('[role="switch"][aria-checked="true"]:not(:disabled)')
      .waitFor();
    await nothingSerious(page, 'a tool that is switched on');
    await window.screenshot(`tools-switch-${lang}`);
    await page.keyboard.press('Escape');
    await rack.getByText(lang === 'ko' ? '꺼짐' : 'Off', { exact: true }).waitFor({ state: 'detached' });

    await shop.goTo('chat');
    const [job] = await shop.order(command);
    const question = await shop.questionOf(job, 'approval');
    assert.match(question.text, /echo (안녕하세요|hello there)/, 'the command is shown in full');
    assert.ok(question.text.includes(sandboxed) || question.text.includes(bare), question.text);
    await nothingSerious(page, 'an approval of a shell command');
    assert.equal(await overflows(page), false);
    await window.screenshot(`tools-shell-${lang}`);
    await shop.answer(question, 'approve');
    await shop.jobIs(job, 'succeeded');
    await page
      .getByText(/안녕하세요|hello there/)
      .first()
      .waitFor();
  });

  each(`a page that is asked about shows its whole address (${lang})`, async (t) => {
    const { shop, window, page } = await visit(t, {
      settings: { lang, 'tools.web_fetch.confirm': 'always' },
    });
    const address = `https://example.com/${'long/'.repeat(40)}end?question=answer`;
    const [job] = await shop.order(lang === 'ko' ? `${address} 읽어줘` : `read ${address}`);
    const question = await shop.questionOf(job, 'approval');
    assert.ok(question.text.includes(address), 'the whole address is shown');
    await window.screenshot(`tools-web-${lang}`);
    assert.equal(await overflows(page), false);
    await shop.stop(job);
  });
}
