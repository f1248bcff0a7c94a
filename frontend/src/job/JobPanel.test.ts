import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, expect, it, vi } from 'vitest';

import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';
import { askOpened, jobView, snapshot } from '../test/shapes';

import JobPanel from './JobPanel.svelte';
import { jobText } from './messages';

beforeEach(() => {
  // jsdom draws nothing, so nothing scrolls.
  Element.prototype.scrollTo = () => undefined;
  const state = snapshot({
    jobs: [jobView('j', 1, { title: 'Directions', state: 'waiting' }), jobView('k', 2)],
    asks: [askOpened('a', { jobId: 'j' })],
  });
  shop.jobs.load(state);
  shop.asks.load(state);
  view.closeJob();
});

it('gives its question the focus that was called for before the panel was there', async () => {
  view.callJob('j');
  render(JobPanel, { jobId: 'j' });
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('ask-card')));
  expect(view.calling).toBe(false);
});

it('gives its title the focus where nothing is asked, and takes none that was not called for', async () => {
  view.openJob('k');
  render(JobPanel, { jobId: 'k' });
  await tick();
  expect(document.activeElement).toBe(document.body);
  view.callJob();
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H2'));
});

it('says of a job out of a file that the shop did nothing of it, and offers no second time', async () => {
  shop.jobs.load(
    snapshot({
      jobs: [
        jobView('mine', 3, { state: 'succeeded', report: '보냈어요' }),
        jobView('theirs', 4, { state: 'succeeded', report: '보냈어요', imported: true }),
      ],
    }),
  );
  const { rerender } = render(JobPanel, { jobId: 'mine' });
  expect(screen.queryByTestId('from-a-file')).toBeNull();
  await rerender({ jobId: 'theirs' });
  expect(screen.getByTestId('from-a-file').textContent).toBe(jobText.importedHint);
  expect(screen.queryByTestId('run-again')).toBeNull();
});
