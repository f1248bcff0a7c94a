import { readFileSync } from 'node:fs';

import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { expect, test } from 'vitest';

import file from 'world-atlas/countries-50m.json';

import { unpacked } from './atlas';

type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

test('the packed world is that of the package, point by point', () => {
  const world = file as unknown as World;
  const packed = new Uint8Array(readFileSync('src/monitor/map/world.bin'));
  const atlas = unpacked(packed.buffer);
  const { features } = feature(world, world.objects.land);
  expect(features.map((f) => f.geometry)).toEqual([atlas.land]);
  expect(atlas.borders).toEqual(mesh(world, world.objects.countries, (a, b) => a !== b));
});
