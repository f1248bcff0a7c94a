/** One argument of a tool, as its JSON schema tells. */
export interface Param {
  name: string;
  type: string;
  required: boolean;
  description: string;
  choices: string[];
}

interface Property {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
}

/** The arguments of a JSON schema, required ones first. Whatever is no object schema has none. */
export function params(schema: unknown): Param[] {
  if (!schema || typeof schema !== 'object') return [];
  const { properties, required } = schema as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  const must = new Set(required ?? []);
  return Object.entries(properties ?? {})
    .map(([name, p]) => ({
      name,
      type: (Array.isArray(p.type) ? p.type.find((t) => t !== 'null') : p.type) ?? 'any',
      required: must.has(name),
      description: p.description ?? '',
      choices: (p.enum ?? []).map(String),
    }))
    .sort((a, b) => Number(b.required) - Number(a.required));
}
