import type { ModelsView, RecommendedModel, Trouble, TroubleAction } from '$lib/api/types';

import { text } from './messages';

/** Where Ollama is downloaded. */
export const DOWNLOAD = 'https://ollama.com/download';
/** Where its models are listed. */
export const LIBRARY = 'https://ollama.com/search';

/** What a person reads about a trouble, and the one thing that helps. */
export interface Cure {
  title: string;
  text: string;
  act: Exclude<TroubleAction, 'none'> | 'check' | 'wait';
}

/** The cure of a trouble; undefined when there is none: the provider is well, or nobody set it up. */
export function cureOf(trouble: Trouble): Cure | undefined {
  if (trouble.health === 'ok' || trouble.health === 'off' || !trouble.health) return undefined;
  const act = trouble.action === 'none' || !trouble.action ? 'check' : trouble.action;
  const cure = (title: string, otherwise: string, does = act): Cure => ({
    title,
    text: otherwise,
    act: does as Cure['act'],
  });
  switch (trouble.reason) {
    case 'not_installed':
      return cure(text.notInstalled, text.notInstalledText);
    case 'not_running':
      return cure(text.notRunning, text.notRunningText);
    case 'not_answering':
      return cure(text.notAnswering, text.notAnsweringText);
    case 'nothing_there':
      return cure(text.nothingThere(trouble.host), text.nothingThereText);
    case 'wrong_address':
      return cure(text.wrongAddress, text.wrongAddressText);
    case 'no_model':
      return trouble.model
        ? cure(text.noSuchModel(trouble.model), text.noSuchModelText)
        : cure(text.noModel, text.noModelText);
    case 'refused':
      return cure(text.refused, trouble.detail || text.refusedText);
    case 'loading':
      return { title: text.loadingModel, text: text.loadingModelText, act: 'wait' };
    default:
      return cure(text.unwell, trouble.detail);
  }
}

/** A first model is small enough to be quick without a graphics card, in bytes of memory. */
const FIRST = 4 * 2 ** 30;

/**
 * The recommended model to begin with on this computer: the largest small one that leaves most of the memory to
 * everything else, or the smallest that fits at all.
 */
export function bestFit(view: ModelsView): RecommendedModel | undefined {
  const most = Math.min(FIRST, view.ram.total / 4);
  const fitting = view.recommended
    .filter((m) => m.fits && !m.embedding)
    .sort((a, b) => a.memory - b.memory);
  return fitting.findLast((m) => m.memory > 0 && m.memory <= most) ?? fitting[0];
}
