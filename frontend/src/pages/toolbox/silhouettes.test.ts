import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { drawn } from './silhouettes';

it('has a picture of every tool that has a manual, and its notes in Korean', () => {
  const folder = '../backend/tools';
  const manuals = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:[a-z]+\/)?[a-z_]+\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Manual);
  expect(manuals.length).toBeGreaterThan(30);
  for (const { key, params } of manuals) {
    expect(drawn, key).toContain(key);
    for (const [name, p] of Object.entries(params.properties ?? {}))
      if (p.description) expect(p['x-ko'], `${key}: ${name}`).toMatch(/[가-힣]/);
  }
});

interface Manual {
  key: string;
  params: { properties?: Record<string, { description?: string; 'x-ko'?: string }> };
}
