import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Every engine we run in reads woff2, so the older forms of the formula fonts stay behind.
const woff2Only: Plugin = {
  name: 'woff2-only',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('katex') || !id.endsWith('.css')) return undefined;
    return code.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("[^"]+"\)/g, '');
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), woff2Only],
  resolve: {
    alias: {
      $lib: here('./src/lib'),
      $stores: here('./src/stores'),
      $wails: here('./wailsjs'),
    },
    // Component tests need the browser build of Svelte, which Vitest would not choose by itself.
    conditions: mode === 'test' ? ['browser'] : undefined,
  },
  build: {
    target: ['es2022', 'safari16'],
    // Go embeds dist even before the first build, so public/.gitkeep puts dist/.gitkeep back after every cleaning.
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
  server: { host: '127.0.0.1', fs: { allow: [here('.')] } },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
    testTimeout: 60_000, // a machine that does much at once is slow, not wrong
  },
}));
