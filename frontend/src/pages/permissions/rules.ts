import type { PolicyCondition, PolicyRule, Spec } from '$lib/api/types';
import type { Lang } from '$lib/i18n/index.svelte';

import { type Param, params } from '../toolbox/schema';

/** The comparisons a rule may make, in the order they are offered. */
export const OPS = ['is', 'like', 'within', 'host', '>', '>=', '<', '<='] as const;

const NUMBERS: readonly string[] = ['>', '>=', '<', '<='];

/** A condition while somebody types it: its value is a text until it is saved. */
export interface ConditionDraft {
  id: number;
  arg: string;
  op: string;
  value: string;
  /** What the value was, to keep its kind if it stays as it is. */
  was?: PolicyCondition['value'];
}

/** A rule while somebody types it. */
export interface RuleDraft {
  id: number;
  tool: string;
  decision: PolicyRule['decision'];
  note: string;
  when: ConditionDraft[];
}

let next = 1;

export const newCondition = (): ConditionDraft => ({ id: next++, arg: '', op: 'is', value: '' });

/** A rule begins with the choice that loosens nothing. */
export const newRule = (): RuleDraft => ({
  id: next++,
  tool: '',
  decision: 'ask',
  note: '',
  when: [],
});

export function draftOf(rule: PolicyRule): RuleDraft {
  return {
    id: next++,
    tool: rule.tool,
    decision: rule.decision,
    note: rule.note ?? '',
    when: (rule.when ?? []).map((c) => ({
      id: next++,
      arg: c.arg,
      op: c.op,
      value: String(c.value),
      was: c.value,
    })),
  };
}

/** The rule as the shop takes it. */
export function ruleOf(draft: RuleDraft): PolicyRule {
  const note = draft.note.trim();
  return {
    tool: draft.tool.trim(),
    decision: draft.decision,
    ...(draft.when.length ? { when: draft.when.map(conditionOf) } : {}),
    ...(note ? { note } : {}),
  };
}

function conditionOf(c: ConditionDraft): PolicyCondition {
  return { arg: c.arg.trim(), op: c.op, value: valueOf(c) };
}

/** A number where the comparison is of numbers; otherwise a text, but true and false are themselves. */
function valueOf(c: ConditionDraft): PolicyCondition['value'] {
  const text = c.value.trim();
  const numeric = text !== '' && Number.isFinite(Number(text));
  if (NUMBERS.includes(c.op)) return numeric ? Number(text) : c.value;
  if (c.op !== 'is') return c.value;
  if (c.was !== undefined && String(c.was) === c.value) return c.was;
  if (text === 'true' || text === 'false') return text === 'true';
  return c.value;
}

/** Tools about which a person is asked every single time: no approval, rule or setting loosens it. */
export const alwaysAsked = (tools: Spec[]): Spec[] =>
  tools.filter((s) => s.effect !== 'read' && (s.counter === true || s.widest === 'once'));

/** Tools that ask, by their manual or its settings, and may be loosened. */
export function asked(tools: Spec[]): Spec[] {
  const strict = new Set(alwaysAsked(tools));
  return tools.filter((s) => s.confirm !== 'never' && !strict.has(s));
}

/** The tools that a name stands for in which * is anything and ? one character. */
export function fitting(pattern: string, tools: readonly Spec[]): Spec[] {
  const literal = pattern.trim().replace(/[^\w*?]/g, '\\$&');
  const whole = new RegExp(`^${literal.replaceAll(/\*+/g, '.*').replaceAll('?', '.')}$`, 's');
  return tools.filter((tool) => whole.test(tool.key));
}

/** Tools that go together, by what the names of all begin with. */
export const FAMILIES = { file: 'file_*', note: 'note_*', all: '*' } as const;

/**
 * The arguments of tools that a rule is for, each once: of one tool its own, of several what any of them has. Values to choose
 * from are offered where all agree about them; two that are called the same say of which tool they are.
 */
export function argsOf(tools: readonly Spec[], lang: Lang): Param[] {
  const args = new Map<string, { arg: Param; of: string }>();
  for (const tool of tools)
    for (const arg of params(tool.params, lang, Boolean(tool.outside))) {
      const other = args.get(arg.name);
      const agree = !other || JSON.stringify(other.arg.choices) === JSON.stringify(arg.choices);
      if (!other) args.set(arg.name, { arg, of: tool.title[lang] });
      else if (!agree) other.arg = { ...other.arg, choices: [] };
    }
  const list = [...args.values()];
  const twice = (label: string) => list.filter(({ arg }) => arg.label === label).length > 1;
  return list.map(({ arg, of }) =>
    twice(arg.label) ? { ...arg, label: `${arg.label} (${of})` } : arg,
  );
}
