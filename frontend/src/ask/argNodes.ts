// A value while somebody edits it, field by field: what is inside a list or an object has fields of its own.

export interface ArgNode {
  id: number;
  /** What it is called in its object; '' in a list. */
  key: string;
  kind: 'text' | 'number' | 'boolean' | 'nothing' | 'list' | 'object';
  text: string;
  on: boolean;
  items: ArgNode[];
  /** Of a list: what one thing in it looks like, also once all are taken out. */
  like?: ArgNode;
}

let next = 1;

export function nodeOf(value: unknown, key = ''): ArgNode {
  const node: ArgNode = { id: next++, key, kind: 'text', text: '', on: false, items: [] };
  if (typeof value === 'string') return { ...node, text: value };
  if (typeof value === 'number') return { ...node, kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { ...node, kind: 'boolean', on: value };
  if (Array.isArray(value)) {
    const items = value.map((v) => nodeOf(v));
    return { ...node, kind: 'list', items, ...(items[0] && { like: items[0] }) };
  }
  if (value && typeof value === 'object')
    return { ...node, kind: 'object', items: Object.entries(value).map(([k, v]) => nodeOf(v, k)) };
  return { ...node, kind: 'nothing' };
}

/** A number that cannot be read, by the field it stands in. */
export class NotANumber extends Error {
  constructor(readonly node: number) {
    super('not a number');
  }
}

/** What stands in the fields. Throws NotANumber. */
export function valueOf(node: ArgNode): unknown {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'nothing':
      return node.text === '' ? null : node.text; // until somebody writes something
    case 'boolean':
      return node.on;
    case 'number': {
      const text = node.text.trim();
      if (!text || !Number.isFinite(Number(text))) throw new NotANumber(node.id);
      return Number(text);
    }
    case 'list':
      return node.items.map(valueOf);
    case 'object':
      return Object.fromEntries(node.items.map((n) => [n.key, valueOf(n)]));
  }
}

/** One more for a list: as its last one is, with nothing in it yet. */
export function another(list: ArgNode): ArgNode {
  const last = list.items.at(-1) ?? list.like;
  return last ? blank(last) : nodeOf('');
}

function blank(node: ArgNode): ArgNode {
  const items = node.kind === 'list' ? [] : node.items.map(blank);
  return { ...node, id: next++, text: '', on: false, items };
}

/** A value as one reads it: what is inside stands on lines of its own. A text of several lines inside others stays one, so that nothing looks like what it is not. */
export function lines(value: unknown): string {
  return typeof value === 'string' ? value : told(value, '').join('\n');
}

function told(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) return value.flatMap((v) => under('•', v, indent));
  if (value && typeof value === 'object')
    return Object.entries(value).flatMap(([k, v]) => under(`${single(k)}:`, v, indent));
  return [indent + (typeof value === 'string' ? single(value) : JSON.stringify(value ?? null))];
}

function under(head: string, value: unknown, indent: string): string[] {
  if (value === null || typeof value !== 'object')
    return [`${indent}${head} ${told(value, '').join('')}`];
  const inner = told(value, `${indent}  `);
  return [`${indent}${head}${inner.length ? '' : Array.isArray(value) ? ' []' : ' {}'}`, ...inner];
}

const single = (text: string): string =>
  /[\r\n\u2028\u2029]/.test(text) ? JSON.stringify(text) : text;
