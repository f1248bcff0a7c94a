// Packs the map of the world that the window draws routes on (make atlas): land and borders of the npm package world-atlas, whose whole numbers
// on a grid stay as they are. What the form is stands where it is read, in frontend/src/monitor/map/atlas.ts; a test there compares both.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = createRequire(
  new URL("../frontend/package.json", import.meta.url),
);
const { feature, mesh } = await import(
  pathToFileURL(packages.resolve("topojson-client"))
);
const world = JSON.parse(
  readFileSync(packages.resolve("world-atlas/countries-50m.json"), "utf8"),
);
const [{ geometry: land }] = feature(world, world.objects.land).features;
const borders = mesh(world, world.objects.countries, (a, b) => a !== b);
const {
  scale: [width, height],
  translate: [west, south],
} = world.transform;

const bytes = [
  ...Buffer.from(new Float64Array([width, height, west, south]).buffer),
];
const number = (n) => {
  let whole = n < 0 ? -2 * n - 1 : 2 * n;
  for (; whole > 127; whole >>>= 7) bytes.push((whole & 127) | 128);
  bytes.push(whole);
};
const list = (all, one) => {
  number(all.length);
  all.forEach(one);
};
let [x, y] = [0, 0];
const line = (points) => {
  let [dx, dy] = [0, 0];
  list(points, ([lon, lat], i) => {
    const [toX, toY] = [
      Math.round((lon - west) / width),
      Math.round((lat - south) / height),
    ];
    number(toX - x - (dx >> 1));
    number(toY - y - (dy >> 1));
    [dx, dy] = i ? [toX - x, toY - y] : [0, 0];
    [x, y] = [toX, toY];
  });
};
list(land.coordinates, (polygon) => list(polygon, line));
list(borders.coordinates, line);
writeFileSync(
  new URL("../frontend/src/monitor/map/world.bin", import.meta.url),
  Buffer.from(bytes),
);
