import type { FeatureCollection, GeometryObject, MultiLineString } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Land and the borders on it: Natural Earth 1:50m, public domain, part of the program. */
export interface Atlas {
  land: GeometryObject | FeatureCollection;
  borders: MultiLineString;
}

type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

let opened: Promise<Atlas> | undefined;

/** Opens the atlas once, when the first map is shown. */
export function openAtlas(): Promise<Atlas> {
  opened ??= import('world-atlas/countries-50m.json').then((file) => {
    const world = file.default as unknown as World;
    return {
      land: feature(world, world.objects.land),
      borders: mesh(world, world.objects.countries, (a, b) => a !== b),
    };
  });
  return opened;
}
