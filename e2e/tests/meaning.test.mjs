// What a message means is asked where it is not sure, and a wrong reading is taken back.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { of } from '../lib/shop.mjs';
import { visit } from '../lib/visit.mjs';

test('what is not sure is asked, and what was misread is called off for the next reading', async (t) => {
  const { shop, window, page } = await visit(t, { settings: { lang: 'ko' } });
  const choice = (name) => page.locator(of('chat-message')).getByRole('button', { name, exact: true });
  await shop.say('something upbeat please');
  await choice('No').waitFor();
  await window.screenshot('meaning-asked');
  await choice('No').click();
  await page.locator(of('chat-message', { role: 'shop' }), { hasText: 'What shall I do then?' }).waitFor();

  await shop.order('노래 틀어줘');
  await shop.sees('the song', of('job-card', { state: 'running' }));
  const request = page.locator(of('chat-message', { role: 'customer' }), { hasText: '노래 틀어줘' });
  await request.hover();
  await request.getByTestId('amiss').click();
  await page.locator(of('chat-message', { role: 'shop' }), { hasText: '어떤 뜻이었나요?' }).waitFor();
  await window.screenshot('meaning-amiss');
  const offered = page.locator(`${of('chat-message', { role: 'shop' })} [data-action^="mean:"]`);
  assert.ok((await offered.count()) >= 2, 'the next readings are offered');
  await offered.first().click();
  await shop.sees('the song called off', of('job-card', { state: 'canceled' }));
});
