import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { api, ApiError, type Setting } from '$lib/api';
import { language } from '$lib/i18n/index.svelte';
import { shop } from '$stores/shop.svelte';

import SettingsPage from './SettingsPage.svelte';

const item = (key: string, ko: string, more: Partial<Setting>): Setting => ({
  key,
  value: '',
  default: '',
  source: 'default',
  env: '',
  live: true,
  type: 'text',
  title: { ko, en: key },
  help: { ko: '', en: '' },
  ...more,
});

describe('SettingsPage', () => {
  let settings: Setting[];

  beforeEach(async () => {
    language.current = 'ko';
    settings = [
      item('lang', '언어', { type: 'enum', value: 'ko', default: 'ko', enum: ['ko', 'en'] }),
      item('workers', '일꾼 수', { type: 'int', value: 4, default: 4, min: 1, max: 64 }),
      item('pace', '재생 속도', {
        type: 'number',
        value: 60,
        default: 1,
        source: 'flag',
        flag: 'pace',
      }),
      item('music_folder', '음악 폴더', { type: 'folder', value: '/music' }),
      item('data_dir', '데이터 폴더', { type: 'folder', value: '/data', live: false }),
    ];
    vi.spyOn(api, 'settings').mockImplementation(() => Promise.resolve(settings));
    await shop.settings.load();
  });

  const row = (key: string) =>
    screen.getAllByTestId('setting').find((r) => r.dataset['key'] === key)!;

  it('keeps a number when the field is left, and shows the answer of the shop beside it', async () => {
    const set = vi.spyOn(api, 'setSettings').mockResolvedValue();
    render(SettingsPage);
    const field = screen.getByLabelText('일꾼 수');
    await fireEvent.input(field, { target: { value: '8' } });
    await fireEvent.blur(field);
    expect(set).toHaveBeenCalledWith({ workers: 8 });
    await screen.findByText('저장했어요');

    set.mockRejectedValueOnce(new ApiError('invalid_setting', '1부터 64까지 넣어 주세요.'));
    await fireEvent.input(field, { target: { value: '99' } });
    await fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() =>
      expect(within(row('workers')).getByRole('alert').textContent).toContain('1부터 64까지'),
    );
    await waitFor(() => expect((field as HTMLInputElement).value).toBe('99'));
  });

  it('switches the language while the window is open', async () => {
    vi.spyOn(api, 'setSettings').mockImplementation((values) => {
      settings[0] = { ...settings[0]!, value: String(values['lang']) };
      return Promise.resolve();
    });
    render(SettingsPage);
    await fireEvent.click(screen.getByRole('radio', { name: 'English' }));
    await waitFor(() =>
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings'),
    );
  });

  it('says where a value was forced from and puts it back to its default', async () => {
    const set = vi.spyOn(api, 'setSettings').mockResolvedValue();
    render(SettingsPage);
    expect(row('pace').textContent).toContain('앱을 켜는 명령');
    await fireEvent.click(within(row('pace')).getByRole('button', { name: /기본값\(1\)/ }));
    expect(set).toHaveBeenCalledWith({ pace: null });
  });

  it('takes a folder from the dialog of the system', async () => {
    const set = vi.spyOn(api, 'setSettings').mockResolvedValue();
    vi.spyOn(api, 'chooseFolder').mockResolvedValue('/home/me/songs');
    render(SettingsPage);
    await fireEvent.click(within(row('music_folder')).getByRole('button', { name: '고르기' }));
    await waitFor(() => expect(set).toHaveBeenCalledWith({ music_folder: '/home/me/songs' }));
  });

  it('only shows what is chosen at start', () => {
    render(SettingsPage);
    expect(row('data_dir').querySelector('input')).toBeNull();
    expect(row('data_dir').textContent).toContain('/data');
  });
});
