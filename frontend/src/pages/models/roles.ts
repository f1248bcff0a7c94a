import type { RoleCard } from '$lib/api/types';

/** A number of a role's card: the name of its setting, and its place in the card. */
export interface Figure {
  key: 'temperature' | 'max_tokens' | 'timeout' | 'retries';
  card: 'temperature' | 'maxTokens' | 'timeoutSeconds' | 'retries';
  step: number;
  max: number;
  /** 0 means that there is no limit. */
  open?: boolean;
}

export const figures: readonly Figure[] = [
  { key: 'temperature', card: 'temperature', step: 0.1, max: 2 },
  { key: 'max_tokens', card: 'maxTokens', step: 1, max: 131_072, open: true },
  { key: 'timeout', card: 'timeoutSeconds', step: 1, max: 86_400, open: true },
  { key: 'retries', card: 'retries', step: 1, max: 10 },
];

export const settingOf = (role: string, key: string): string => `roles.${role}.${key}`;

/** What changes a role's card back to what it would be without settings. */
export function resetOf(role: string): Record<string, null> {
  const keys = ['model', ...figures.map((f) => f.key)];
  return Object.fromEntries(keys.map((key) => [settingOf(role, key), null]));
}

/** Whether somebody changed something about a role. */
export const isChanged = (role: RoleCard): boolean =>
  role.model !== role.defaults.model || figures.some((f) => role[f.card] !== role.defaults[f.card]);

/** The number somebody typed: null for the default, undefined for what is no number in range. */
export function readFigure(typed: string, figure: Figure): number | null | undefined {
  if (!typed.trim()) return null;
  const n = Number(typed);
  if (!Number.isFinite(n) || n < 0 || n > figure.max) return undefined;
  return figure.step === 1 && !Number.isInteger(n) ? undefined : n;
}
