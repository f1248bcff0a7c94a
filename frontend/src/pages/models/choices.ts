import type { ModelsView } from '$lib/api/types';
import { sameModel } from '$stores/models.svelte';

// Whom a person can choose from, wherever a model is chosen: for all, a chat, a project, a role or one answer.

/** A model that answers may be had from now, on the server that has it. */
export interface Choice {
  /** What a chat, a project, a role or a request names it by: server/model. */
  value: string;
  server: string;
  model: string;
  /** This computer's memory has room for it, or nobody knows. */
  fits: boolean;
}

/** Every model that answers may be had from, server by server, in the order in which those are asked. */
export function choices(view: ModelsView | undefined): Choice[] {
  const here = (view?.installed ?? []).filter((m) => !m.embedding);
  return (view?.servers ?? []).flatMap(({ name: server, health, models, serves, off }) => {
    // A server that is still reading its model into memory has told what else it has only here.
    const told = health === 'ok' ? (models?.length ? models : serves ? [serves] : []) : [];
    const names = server === 'ollama' && !off && !told.length ? here.map((m) => m.name) : told;
    return names.map((model) => ({
      value: `${server}/${model}`,
      server,
      model,
      fits: server !== 'ollama' || (here.find((m) => m.name === model)?.fits ?? true),
    }));
  });
}

/** The choice that a name means; one without a server is of those whose address is a setting, with or without a tag. */
export function chosenOf(list: readonly Choice[], name: string): Choice | undefined {
  return (
    list.find((c) => c.value === name) ??
    list.find((c) => c.server === 'ollama' && sameModel(c.model, name.replace(/^ollama\//, ''))) ??
    list.find((c) => c.server === 'openai' && c.model === name)
  );
}

/** They are of more than one server, so each says whose it is. */
export const several = (list: readonly Choice[]): boolean =>
  list.some((c) => c.server !== list[0]?.server);
