import { svelte } from '@sveltejs/vite-plugin-svelte';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
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

// The program has the typeface and gives it piece by piece (windowtype.go), so it is nothing to be packed here. The pieces that hold what the
// first picture says are asked for before any script has run, so that it has no holes.
const typeAhead: Plugin = {
  name: 'type-ahead',
  config: () => ({ build: { rolldownOptions: { external: /^\/type\// } } }),
  // Without Go behind the page, the whole fonts stand in for the pieces.
  configureServer(server) {
    server.middlewares.use('/type/', (request, response, next) => {
      const name = /Pretendard-[A-Za-z]+(?=-\d\.ttf)/.exec(request.url ?? '')?.[0];
      if (!name) return next();
      const folder = './node_modules/pretendard/dist/public/static/alternative';
      response.end(readFileSync(here(`${folder}/${name}.ttf`)));
    });
  },
  transformIndexHtml: () =>
    ['Regular-0', 'SemiBold-0', 'Regular-1', 'SemiBold-1'].map((piece) => ({
      tag: 'link',
      attrs: {
        rel: 'preload',
        as: 'font',
        type: 'font/ttf',
        crossorigin: '',
        href: `/type/Pretendard-${piece}.ttf`,
      },
      injectTo: 'head' as const,
    })),
};

// Writes down which npm packages the page is really made of, one folder a line: what the licences and the list of parts (scripts/sbom.mjs)
// are made by. npm knows only what is asked for by whom, and calls Svelte a tool, though its runtime is in the page. What is carried as
// another file than a script (the type, the map) is a dependency by its name.
const bundled: Plugin = {
  name: 'bundled',
  apply: 'build',
  writeBundle(_options, bundle) {
    const asked = JSON.parse(readFileSync(here('./package.json'), 'utf8')) as Dependencies;
    const folders = new Set(Object.keys(asked.dependencies).map((name) => `node_modules/${name}`));
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk')
        chunk.moduleIds.map(packageOf).forEach((f) => f && folders.add(f));
    }
    mkdirSync(here('../build/cache'), { recursive: true });
    writeFileSync(here('../build/cache/bundled.txt'), `${[...folders].sort().join('\n')}\n`);
  },
};
type Dependencies = { dependencies: Record<string, string> };

/** The folder of the package that a module is of. A tool's own helper is in no file, and stands under the tool's name. */
function packageOf(id: string) {
  const file = relative(here('.'), resolve(here('./node_modules'), id.replace('\0', '')));
  return /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0];
}

// The shell in index.html has the window's tokens, and that of the system's theme before a script has looked at it. The window
// itself is asked for at once, and read when the shell has been drawn.
const first = './src/open.ts';

/** What the window is made of when it opens, all that is not fetched later, is one file; what the shell needs stands apart. */
function openingFile(
  id: string,
  graph: { getModuleInfo(id: string): { importedIds: string[] } | null },
) {
  const reach = (from: string, found = new Set<string>()) => {
    if (!found.has(from)) {
      found.add(from);
      graph.getModuleInfo(from)?.importedIds.forEach((next) => reach(next, found));
    }
    return found;
  };
  opening ??= { shell: reach(here('./src/main.ts')), window: reach(here(first)) };
  if (opening.shell.has(id) || id.includes('vite/preload-helper')) return 'shell';
  return opening.window.has(id) ? 'window' : null;
}
let opening: { shell: Set<string>; window: Set<string> } | undefined;

const shell: Plugin = {
  name: 'shell',
  transformIndexHtml: {
    order: 'post',
    handler(_page, { bundle }) {
      const tokens = readFileSync(here('./src/styles/tokens.css'), 'utf8');
      const dark = /:root\[data-theme='dark'\] (\{[^}]+\})/.exec(tokens)?.[1] ?? '';
      const system = `@media (prefers-color-scheme: dark) { :root[data-theme='system'] ${dark} }`;
      const files = Object.values(bundle ?? {});
      const window_ = files.find((f) => f.type === 'chunk' && f.moduleIds.includes(here(first)));
      const sheets =
        window_?.type === 'chunk' ? [...(window_.viteMetadata?.importedCss ?? [])] : [];
      return [
        { tag: 'style', children: `${tokens}\n${system}`, injectTo: 'head-prepend' as const },
        ...(window_ ? [window_.fileName] : []).map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: '', href: `/${name}` },
          injectTo: 'head' as const,
        })),
        ...sheets.map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'style', crossorigin: '', href: `/${name}` },
          injectTo: 'head' as const,
        })),
      ];
    },
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), woff2Only, typeAhead, shell, bundled],
  resolve: {
    alias: {
      $lib: here('./src/lib'),
      $stores: here('./src/stores'),
      $wails: here('./wailsjs'),
    },
    // Mermaid has older ones of its own; the window has each once.
    dedupe: ['katex', 'marked'],
    // Component tests need the browser build of Svelte, which Vitest would not choose by itself.
    conditions: mode === 'test' ? ['browser'] : undefined,
  },
  build: {
    target: ['es2022', 'safari16'],
    // Go embeds dist even before the first build, so public/.gitkeep puts dist/.gitkeep back after every cleaning.
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: openingFile }] },
      },
    },
  },
  server: { host: '127.0.0.1', fs: { allow: [here('.')] } },
  test: {
    environment: 'jsdom',
    pool: 'vmThreads', // every file has a page and modules of its own, without a process and a reading of jsdom for each
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
    testTimeout: 60_000, // a machine that does much at once is slow, not wrong
    hookTimeout: 60_000, // some read what is fetched when it is wanted
  },
}));
