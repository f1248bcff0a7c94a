import {
  geoCircle,
  geoGraticule,
  geoPath,
  type GeoContext,
  type GeoPermissibleObjects,
} from 'd3-geo';

import type { Atlas } from './atlas';
import { furniture, isClear } from './furniture';
import { distanceKm, EARTH_KM, gridStep, rings, type Frame, type Spot } from './frame';

/** The inks of the map, read from the design tokens. */
export interface Inks {
  water: string;
  land: string;
  grid: string;
  coast: string;
  ring: string;
  text: string;
  dim: string;
  route: string;
  font: string;
}

export type Brush = CanvasRenderingContext2D;

export interface Label {
  spot: Spot;
  text: string;
}

/** Draws everything that stands still: water, grid, land, borders, and the rings of distance round the destination. */
export function drawChart(
  brush: Brush,
  frame: Frame,
  atlas: Atlas | undefined,
  trip: { from: Spot; to: Spot },
  inks: Inks,
  kmText: (km: number) => string,
): void {
  const { width, height } = frame.size;
  brush.clearRect(0, 0, width, height);
  brush.fillStyle = inks.water;
  brush.fillRect(0, 0, width, height);
  const path = geoPath(frame.projection, brush as unknown as GeoContext);
  const trace = (shape: GeoPermissibleObjects) => {
    brush.beginPath();
    path(shape);
  };

  if (atlas) {
    trace(atlas.land);
    brush.fillStyle = inks.land;
    brush.fill();
  }
  trace(grid(frame));
  brush.strokeStyle = inks.grid;
  brush.lineWidth = 1;
  brush.stroke();
  if (atlas) {
    trace(atlas.borders);
    brush.setLineDash([3, 3]);
    brush.strokeStyle = inks.coast;
    brush.stroke();
    brush.setLineDash([]);
    trace(atlas.land);
    brush.strokeStyle = inks.coast;
    brush.lineWidth = 1.2;
    brush.stroke();
  }
  drawRings(brush, frame, trip, inks, kmText, trace);
}

function drawRings(
  brush: Brush,
  frame: Frame,
  trip: { from: Spot; to: Spot },
  inks: Inks,
  kmText: (km: number) => string,
  trace: (shape: GeoPermissibleObjects) => void,
): void {
  const { from, to } = trip;
  brush.font = `11px ${inks.font}`;
  brush.textAlign = 'center';
  brush.textBaseline = 'middle';
  const center = frame.projection([to.lon, to.lat]);
  const start = frame.projection([from.lon, from.lat]);
  // Distances are written across the route, where neither the line nor the names are.
  const way = center && start ? Math.atan2(start[1] - center[1], start[0] - center[0]) : 0;
  for (const km of rings(distanceKm(from, to), frame.kmPerPixel)) {
    const angle = (km / EARTH_KM) * (180 / Math.PI);
    if (angle > 90) continue;
    trace(geoCircle().center([to.lon, to.lat]).radius(angle).precision(2)());
    brush.setLineDash([1, 4]);
    brush.lineCap = 'round';
    brush.strokeStyle = inks.ring;
    brush.lineWidth = 1.2;
    brush.stroke();
    brush.setLineDash([]);
    brush.lineCap = 'butt';
    if (!center) continue;
    const text = kmText(km);
    const half = brush.measureText(text).width / 2 + 3;
    const spot = ringLabel(
      center,
      km / frame.kmPerPixel,
      way,
      half,
      frame,
      start ? [start, center] : [center],
    );
    if (!spot) continue;
    brush.lineJoin = 'round';
    brush.lineWidth = 4;
    brush.strokeStyle = inks.water;
    brush.strokeText(text, spot[0], spot[1]);
    brush.fillStyle = inks.dim;
    brush.fillText(text, spot[0], spot[1]);
  }
}

/** Where on a ring its distance is written: the first place that is clear of everything else. */
function ringLabel(
  center: [number, number],
  radius: number,
  way: number,
  half: number,
  frame: Frame,
  ends: readonly [number, number][],
): [number, number] | undefined {
  // The names of the two ends stand near them.
  const names = ends.map(([x, y]) => ({ x: x - 48, y: y - 32, width: 96, height: 64 }));
  const zones = [...furniture(frame.size), ...names];
  for (const turn of [1, -1, 0.7, -0.7, 1.4, -1.4, 1.9, -1.9, 2.5, -2.5, Math.PI]) {
    const x = center[0] + radius * Math.cos(way + turn);
    const y = center[1] + radius * Math.sin(way + turn);
    const zone = { x: x - half, y: y - 8, width: half * 2, height: 16 };
    if (isClear(zone, frame.size, zones)) return [x, y];
  }
  return undefined;
}

function grid(frame: Frame): GeoPermissibleObjects {
  const { center, sight } = frame;
  const step = gridStep(sight);
  const lat = [Math.max(center.lat - sight, -89.9), Math.min(center.lat + sight, 89.9)] as const;
  const poleward = Math.max(Math.abs(lat[0]), Math.abs(lat[1]));
  if (poleward > 80) {
    // Near a pole all longitudes are in sight: only a few of them are drawn.
    return geoGraticule()
      .step([Math.max(step, 15), step])
      .extent([
        [-180, lat[0]],
        [180, lat[1]],
      ])();
  }
  const half = Math.min(sight / Math.cos((poleward * Math.PI) / 180), 180);
  return geoGraticule()
    .step([step, step])
    .extent([
      [center.lon - half, lat[0]],
      [center.lon + half, lat[1]],
    ])();
}
