import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root, and paths in it. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
export const inRepo = (...parts) => join(root, ...parts);

/** Where screenshots go. */
export function screenshotPath(name) {
  mkdirSync(inRepo('build/screenshots'), { recursive: true });
  return inRepo('build/screenshots', `${name}.png`);
}

/**
 * A new data folder with its own settings. Settings go into the file, not into the environment, because a setting of
 * the environment cannot be changed in the window.
 */
export function dataFolder(settings = {}) {
  const path = mkdtempSync(join(tmpdir(), 'agentchat-e2e-'));
  const all = {
    lang: 'ko',
    provider: 'builtin',
    music_folder: '',
    video_folder: '',
    on_close: 'quit', // a test that closes the window wants the program to end
    ...settings,
  };
  writeFileSync(join(path, 'settings.json'), JSON.stringify(all), {
    mode: 0o600,
  });
  // What reads PDF is compiled once for all tests: it takes seconds, and comes out the same every time. Tests in Go keep theirs elsewhere
  // (backend/testing/readertest): a program keeps only the newest, and they know of no version.
  const reader = inRepo('build/cache/reader-of-programs');
  mkdirSync(reader, { recursive: true, mode: 0o700 });
  symlinkSync(reader, join(path, 'reader'));
  const env = { AGENTCHAT_DATA: path, XDG_DATA_HOME: join(path, 'share') }; // a trash of its own
  return {
    path,
    env,
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }),
  };
}
