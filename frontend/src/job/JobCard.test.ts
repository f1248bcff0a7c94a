import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet, flushSync } from 'svelte';
import { beforeEach, expect, it, vi } from 'vitest';

import type { TodoView } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { Job } from '$stores/jobs.svelte';
import { view } from '$stores/view.svelte';
import { jobView } from '../test/shapes';

import JobCard from './JobCard.svelte';

const todos: TodoView[] = [
  { id: 't1', title: 'Look at the clock', state: 'done', node: '' },
  { id: 't2', title: 'Play a song', state: 'running', node: 'exec' },
];

beforeEach(() => void (language.current = 'en'));

function card(more = {}, props = {}) {
  const job = new Job('j').fill(jobView('j', 104, { title: 'Clock, then song', todos, ...more }));
  const onopen = vi.fn();
  render(JobCard, { job, onopen, ...props });
  return { job, onopen, ticket: screen.getByTestId('job-card') };
}

it('is a ticket with its number, title, state and todos', async () => {
  const { onopen, ticket } = card({ state: 'running' });
  expect(ticket.dataset).toMatchObject({ job: 'j', state: 'running' });
  expect(screen.getByText('104')).toBeTruthy();
  expect(ticket.querySelectorAll('li')).toHaveLength(2);
  expect(ticket.querySelector('li[data-state="running"]')?.textContent).toContain('Play a song');
  await fireEvent.click(screen.getByText('Clock, then song'));
  expect(onopen).toHaveBeenCalledWith('j');
});

it('follows its job by itself, and is torn when it ended', () => {
  const { job, ticket } = card({ state: 'running' });
  expect(ticket.querySelector('.tear')).toBeNull();
  job.state = 'succeeded';
  flushSync();
  expect(ticket.dataset['state']).toBe('succeeded');
  expect(ticket.querySelector('.tear')).not.toBeNull();
  expect(screen.getByText('1 of 2')).toBeTruthy();
});

it('says which place in line it waits in', () => {
  card({ state: 'waiting', place: 2 });
  expect(screen.getByText('No. 2 in line')).toBeTruthy();
});

it('says that it needs a person rather than its place', () => {
  const { ticket } = card({ state: 'waiting', place: 2 }, { needsYou: true });
  expect(ticket.textContent).toContain('Needs you');
  expect(ticket.textContent).not.toContain('in line');
});

it('keeps why it failed', () => {
  card({ state: 'failed', reason: 'No connection.' });
  expect(screen.getByText('No connection.')).toBeTruthy();
});

it('does not list a single todo that repeats the title', () => {
  const { ticket } = card({
    title: 'Play',
    todos: [{ id: 't', title: 'Play', state: 'running', node: '' }],
  });
  expect(ticket.querySelector('li')).toBeNull();
});

it('leads from a failure to the page that mends it', async () => {
  card({ state: 'failed', reason: 'No folder is open.', code: 'no_folder' });
  await fireEvent.click(screen.getByText('Open Permissions'));
  expect(view.page).toBe('permissions');
  view.go('chat');
});

it('leads nowhere from a failure that no page mends', () => {
  card({ state: 'failed', reason: 'It broke.', code: 'tool_panic' });
  expect(screen.queryByTestId('remedy')).toBeNull();
});

it('tells why it failed once: in the words of the message, where there is one', () => {
  const report = createRawSnippet(() => ({ render: () => '<p>Open a folder first.</p>' }));
  card({ state: 'failed', reason: 'Open a folder first.' }, { report });
  expect(screen.getAllByText('Open a folder first.')).toHaveLength(1);
});
