import type { MultiLineString, MultiPolygon, Position } from 'geojson';

import world from './world.bin?url';

/** Land and the borders on it: Natural Earth 1:50m, public domain, part of the program. */
export interface Atlas {
  land: MultiPolygon;
  borders: MultiLineString;
}

let opened: Promise<Atlas> | undefined;

/** Opens the atlas once, when the first map is shown. */
export function openAtlas(): Promise<Atlas> {
  opened ??= fetch(world)
    .then((answer) => answer.arrayBuffer())
    .then(unpacked);
  return opened;
}

/**
 * The atlas as scripts/atlas.mjs packed it: how fine its grid is and where it begins, then whole numbers of as many bytes as they need. A line is how many points it has
 * and where each lies, told from where the one before would lead to if it went half as far again.
 */
export function unpacked(file: ArrayBuffer): Atlas {
  const [width = 0, height = 0, west = 0, south = 0] = new Float64Array(file, 0, 4);
  const bytes = new Uint8Array(file, 4 * Float64Array.BYTES_PER_ELEMENT);
  let at = 0;
  const number = () => {
    let whole = 0;
    for (let bit = 0; ; bit += 7) {
      const byte = bytes[at++] ?? 0;
      whole |= (byte & 127) << bit;
      if (byte < 128) return whole & 1 ? -(whole + 1) / 2 : whole / 2;
    }
  };
  const list = <T>(one: (n: unknown, i: number) => T) => Array.from({ length: number() }, one);
  let [x, y] = [0, 0];
  const line = () => {
    let [dx, dy] = [0, 0];
    return list((_, i): Position => {
      x += dx = (dx >> 1) + number();
      y += dy = (dy >> 1) + number();
      if (i === 0) dx = dy = 0; // there the way from another line ends
      return [x * width + west, y * height + south];
    });
  };
  return {
    land: { type: 'MultiPolygon', coordinates: list(() => list(line)) },
    borders: { type: 'MultiLineString', coordinates: list(line) },
  };
}
