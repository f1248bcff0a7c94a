import './styles/tokens.css';
import './styles/base.css';

import { mount } from 'svelte';

async function open() {
  // Without Go behind it (plain `vite`), the window plays with a stand-in. A production build does not contain it.
  if (import.meta.env.DEV && !('go' in window)) {
    const { pretend } = await import('./dev/pretend');
    pretend();
  }
  const { default: App } = await import('./App.svelte');
  const target = document.getElementById('app');
  if (target) mount(App, { target });
}

void open();
