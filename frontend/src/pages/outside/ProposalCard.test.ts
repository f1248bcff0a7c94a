import { fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import type { McpProposal } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';

import { text } from './messages';
import ProposalCard from './ProposalCard.svelte';

const proposal: McpProposal = {
  id: 'p',
  name: 'notes',
  title: { ko: '', en: '' },
  about: { ko: '', en: '' },
  line: 'node notes.mjs <folder>',
  remote: false,
  missing: '',
  needs: [
    {
      name: 'folder',
      kind: 'text',
      title: { ko: '', en: '' },
      given: false,
      optional: false,
    },
  ],
};

afterEach(() => void vi.restoreAllMocks());

it('starts nothing before what would be started is drawn with all that was filled in', async () => {
  language.current = 'en';
  let draw: (line: string) => void = () => undefined;
  vi.spyOn(api, 'lineMCP').mockImplementation(() => new Promise((resolve) => (draw = resolve)));
  const add = vi.spyOn(api, 'addMCP').mockResolvedValue();
  vi.spyOn(api, 'mcp').mockResolvedValue({ file: '', text: '', problems: [], servers: [] });
  render(ProposalCard, { proposal, onadded: vi.fn() });
  await fireEvent.input(screen.getByLabelText('folder'), { target: { value: '/here' } });
  const start = screen.getByRole<HTMLButtonElement>('button', { name: text.startThis });
  expect(start.disabled).toBe(true);
  draw('node notes.mjs /here');
  await vi.waitFor(() => expect(start.disabled).toBe(false));
  await fireEvent.click(start);
  expect(add).toHaveBeenCalledWith(expect.objectContaining({ line: 'node notes.mjs /here' }));
});
