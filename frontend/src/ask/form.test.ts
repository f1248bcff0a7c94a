import { describe, expect, it } from 'vitest';

import { parted } from './form';

const row = (name: string, text: string) => ({ name, text });

describe('the values beside the buttons', () => {
  it('are those that are short, in their order', () => {
    const rows = [
      row('to', 'Kim'),
      row('text', 'x'.repeat(81)),
      row('list', 'a\nb'),
      row('n', '3'),
    ];
    expect(parted(rows).near.map((r) => r.name)).toEqual(['to', 'n']);
    expect(parted(rows).far.map((r) => r.name)).toEqual(['text', 'list']);
  });

  it('are few, however short they are', () => {
    const { near, far } = parted(Array.from({ length: 40 }, (_, i) => row(`v${i}`, 'true')));
    expect(near).toHaveLength(8);
    expect(far).toHaveLength(32);
  });

  it('are counted with their names', () => {
    const name = 'n'.repeat(70);
    const rows = Array.from({ length: 6 }, (_, i) => row(`${name}${i}`, 'yes'));
    expect(parted(rows).near).toHaveLength(3);
    expect(parted([row('n'.repeat(100), 'yes')]).far).toHaveLength(1);
  });
});
