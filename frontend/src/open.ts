import './styles/type.css';
import './styles/tokens.css';
import './styles/base.css';

import { mount } from 'svelte';

import { shop } from '$stores/shop.svelte';
import { view } from '$stores/view.svelte';

import App from './App.svelte';

/** Puts the window in the place of the shell, with what was typed there; entered: and it is to be sent. */
export function open(typed: string, entered: boolean): void {
  const target = document.getElementById('app');
  if (!target) return;
  view.entered = entered;
  if (typed) view.drafts[shop.chats.currentId] = typed;
  target.textContent = '';
  mount(App, { target });
  const box = target.querySelector<HTMLTextAreaElement>('[data-testid="composer"]');
  box?.focus();
  box?.setSelectionRange(typed.length, typed.length);
}
