import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
  vitePlugin: {
    // Libraries bring their own components, some of which do not use runes.
    dynamicCompileOptions: ({ filename }) =>
      filename.includes('node_modules') ? { runes: undefined } : undefined,
  },
};
