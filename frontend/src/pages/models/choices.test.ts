import { describe, expect, it } from 'vitest';

import { installed, listedServer, modelsView } from '../../test/shapes';

import { choices, chosenOf } from './choices';

describe('whom one can choose from', () => {
  const view = modelsView({
    installed: [installed('big:latest', { fits: false }), installed('small:latest')],
    servers: [
      listedServer('GPU', { models: ['big', 'team/huge'] }),
      listedServer('ollama', { settled: true, models: ['big:latest', 'small:latest'] }),
      listedServer('away', { health: 'unreachable', models: [] }),
    ],
  });

  it('are the models of every server that is well, in the order of the servers', () => {
    const list = choices(view);
    expect(list.map((c) => c.value)).toEqual([
      'GPU/big',
      'GPU/team/huge',
      'ollama/big:latest',
      'ollama/small:latest',
    ]);
    expect(list.filter((c) => !c.fits).map((c) => c.value)).toEqual(['ollama/big:latest']);
    expect(choices(undefined)).toEqual([]);
  });

  it('are found by what a setting calls them', () => {
    const list = choices(view);
    expect(chosenOf(list, 'GPU/team/huge')?.server).toBe('GPU');
    for (const name of ['ollama/big:latest', 'ollama/big', 'big', 'big:latest'])
      expect(chosenOf(list, name)?.value).toBe('ollama/big:latest');
    expect(chosenOf(list, 'away/big')).toBeUndefined();
    expect(chosenOf(list, 'nobody')).toBeUndefined();
  });

  it('has what is installed here while it is read into memory', () => {
    const starting = modelsView({
      installed: view.installed,
      servers: [listedServer('ollama', { health: 'starting', models: [] })],
    });
    expect(choices(starting).map((c) => c.model)).toEqual(['big:latest', 'small:latest']);
  });
});
