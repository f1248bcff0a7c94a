import { fireEvent, render, screen } from '@testing-library/svelte';
import { expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';

import OutsidePage from './OutsidePage.svelte';

it('calls a server as the person does, and acts by the name that it keeps', async () => {
  language.current = 'en';
  vi.spyOn(api, 'mcp').mockResolvedValue({
    ...{ file: '', text: '', problems: [] },
    servers: [
      {
        ...{ server: 'notes', title: 'My notebook', transport: 'stdio', target: 'node notes.mjs' },
        ...{ state: 'ready', tools: [] },
      },
    ],
  });
  const remove = vi.spyOn(api, 'removeMCP').mockResolvedValue();
  render(OutsidePage);
  await screen.findByRole('heading', { name: 'My notebook' });
  await fireEvent.click(
    screen.getByRole('button', { name: /remove.*My notebook|My notebook.*remove/i }),
  );
  const sure = await screen.findByRole('dialog', { name: /My notebook/ });
  expect(sure.textContent).not.toContain('notes.mjs');
  await fireEvent.click(screen.getAllByRole('button', { name: /remove/i }).at(-1)!);
  expect(remove).toHaveBeenCalledWith('notes');
});
