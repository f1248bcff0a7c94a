import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '$lib/api';
import { ApiError } from '$lib/api/error';
import type { Favourite } from '$lib/api/types';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';
import { toasts } from '$stores/toasts.svelte';
import { view } from '$stores/view.svelte';

import { snapshot } from '../../test/shapes';
import FavouritesPage from './FavouritesPage.svelte';

const favourite = (id: string, more: Partial<Favourite> = {}): Favourite => ({
  id,
  name: '아침날씨',
  text: '서울 날씨 알려줘',
  plain: '서울 날씨 알려줘',
  blanks: [],
  ...more,
});
const said = { id: '', role: 'customer' as const, text: '', time: '' };

describe('FavouritesPage', () => {
  async function open(favourites: Favourite[], trash: Favourite[] = []) {
    vi.spyOn(api, 'favourites').mockResolvedValue({ favourites, trash, trashDays: 30 });
    vi.spyOn(api, 'favouriteArguments').mockResolvedValue([
      { name: '곳', text: '서울', start: 0, end: 2 },
    ]);
    render(FavouritesPage);
    await waitFor(() => expect(shop.favourites.view?.favourites).toBe(favourites));
    return screen.queryAllByTestId('favourite');
  }
  const press = (name: string | RegExp, inside?: HTMLElement) =>
    fireEvent.click((inside ? within(inside) : screen).getByRole('button', { name }));

  beforeEach(() => {
    language.current = 'ko';
    view.go('favourites');
    vi.restoreAllMocks();
    shop.favourites.view = undefined;
    shop.chats.load(snapshot({}));
    view.drafts = {};
    view.favourite = {};
  });

  it('runs one without blanks at once, and puts one with blanks into the box', async () => {
    const run = vi.spyOn(api, 'runFavourite').mockResolvedValue(said);
    const blank = favourite('b', {
      name: '날씨',
      text: '{곳} 날씨',
      blanks: [{ name: '곳', asks: '' }],
    });
    const [plain, withBlank] = await open([favourite('a'), blank]);
    await press('하기: 아침날씨', plain);
    await waitFor(() => expect(run).toHaveBeenCalledWith('main', 'a', ''));
    expect(view.page).toBe('chat');
    await press('하기: 날씨', withBlank);
    await waitFor(() => expect(view.favourite['main']).toBe('b'));
    expect(view.drafts['main']).toBe('{곳} 날씨');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('makes what the shop recognises a blank, and tells what stood there', async () => {
    const keep = vi.spyOn(api, 'keepFavourite').mockResolvedValue(favourite('a'));
    const [row] = await open([favourite('a')]);
    await press('고치기: 아침날씨', row);
    await fireEvent.click(
      await screen.findByRole('button', { name: '‘서울’ 자리를 빈칸 ‘곳’(으)로 두기' }),
    );
    expect(screen.getByLabelText('할 말')).toHaveProperty('value', '{곳} 날씨 알려줘');
    await press('두기');
    await waitFor(() =>
      expect(keep).toHaveBeenCalledWith('a', '아침날씨', '{곳} 날씨 알려줘', { 곳: '서울' }),
    );
    await waitFor(() => expect(screen.queryByTestId('favourite-form')).toBeNull());
  });

  it('says beside the form why a name is refused, and keeps what was written', async () => {
    const taken = new ApiError('favourite_taken', '같은 이름의 단골이 이미 있어요: 날씨.');
    vi.spyOn(api, 'keepFavourite').mockRejectedValue(taken);
    await open([]);
    await fireEvent.click(screen.getByTestId('add-favourite'));
    await fireEvent.input(screen.getByLabelText('이름'), { target: { value: '날씨' } });
    await fireEvent.input(screen.getByLabelText('할 말'), { target: { value: '부산 날씨' } });
    await press('두기');
    expect((await screen.findByRole('alert')).textContent).toBe(taken.message);
    expect(screen.getByLabelText('할 말')).toHaveProperty('value', '부산 날씨');
  });

  it('opens the card of a standing order in the chat, unless the words do not say how often', async () => {
    const refused = new ApiError('invalid_args', '값이 맞지 않아요');
    const schedule = vi
      .spyOn(api, 'scheduleFavourite')
      .mockRejectedValueOnce(refused)
      .mockResolvedValue(said);
    const [row] = await open([favourite('a')]);
    await press('정기 주문으로: 아침날씨', row);
    await fireEvent.input(screen.getByLabelText('언제마다'), { target: { value: '언젠가' } });
    await press('대화에서 보기');
    expect((await screen.findByRole('alert')).textContent).toBe(refused.message);
    expect(view.page).toBe('favourites');
    await fireEvent.input(screen.getByLabelText('언제마다'), { target: { value: '매일 8시에' } });
    await press('대화에서 보기');
    await waitFor(() => expect(view.page).toBe('chat'));
    expect(schedule).toHaveBeenLastCalledWith('main', 'a', '매일 8시에');
  });

  it('takes back what was deleted, from the note and from the trash', async () => {
    vi.spyOn(api, 'deleteFavourite').mockResolvedValue();
    const restore = vi.spyOn(api, 'restoreFavourite').mockResolvedValue();
    const show = vi.spyOn(toasts, 'show');
    const [row] = await open(
      [favourite('a')],
      [favourite('t', { name: '옛것', deleted: '2026-01-05T01:00:00Z' })],
    );
    await press('지우기: 아침날씨', row);
    await waitFor(() => expect(show).toHaveBeenCalled());
    show.mock.calls[0]?.[0].action?.run();
    await waitFor(() => expect(restore).toHaveBeenCalledWith('a'));
    await press('되살리기: 옛것');
    await waitFor(() => expect(restore).toHaveBeenCalledWith('t'));
  });
});
