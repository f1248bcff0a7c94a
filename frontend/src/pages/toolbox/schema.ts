import type { Lang } from '$lib/i18n/index.svelte';

/** One argument of a tool, as its JSON schema tells. */
export interface Param {
  /** What programs call it. */
  name: string;
  /** What people call it; of an outside tool the same as its name. */
  label: string;
  type: string;
  required: boolean;
  description: string;
  choices: { value: string; label: string }[];
}

type Words = Partial<Record<Lang, string>>;

interface Property {
  type?: string | string[];
  description?: string;
  /** What it means, in Korean: manuals are written for models in English. */
  'x-ko'?: string;
  'x-name'?: Words;
  'x-values'?: Record<string, Words>;
  enum?: unknown[];
}

/**
 * The arguments of a JSON schema, required ones first. Whatever is no object schema has none. What an outside tool's schema
 * calls its arguments is a stranger's word: only their keys are shown.
 */
export function params(schema: unknown, lang: Lang, outside = false): Param[] {
  if (!schema || typeof schema !== 'object') return [];
  const { properties, required } = schema as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  const must = new Set(required ?? []);
  return Object.entries(properties ?? {})
    .map(([name, p]) => ({
      name,
      label: (!outside && p['x-name']?.[lang]) || name,
      type: (Array.isArray(p.type) ? p.type.find((t) => t !== 'null') : p.type) ?? 'any',
      required: must.has(name),
      description: (lang === 'ko' && p['x-ko']) || (p.description ?? ''),
      choices: (p.enum ?? []).map(String).map((value) => ({
        value,
        label: (!outside && p['x-values']?.[value]?.[lang]) || value,
      })),
    }))
    .sort((a, b) => Number(b.required) - Number(a.required));
}
