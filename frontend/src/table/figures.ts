import type { TableColumn } from '$lib/api/types';

/** A plain decimal with commas between its thousands, digit for digit: it never becomes a float. */
export function commas(value: string): string {
  const [whole = '', rest] = value.replace(/^-/, '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return (value.startsWith('-') ? '-' : '') + grouped + (rest === undefined ? '' : `.${rest}`);
}

const before = new Set(['₩', '￦', '$', '€', '£', '¥']);
const close = new Set(['%', '원']);

/** A value of a column as people read it. */
export function shown(column: TableColumn | undefined, value: string): string {
  if (column?.kind !== 'number' || !/^-?\d/.test(value)) return value;
  const unit = column.unit ?? '';
  if (before.has(unit))
    return (value.startsWith('-') ? '-' : '') + unit + commas(value.replace(/^-/, ''));
  return commas(value) + (unit === '' || close.has(unit) ? unit : ` ${unit}`);
}
