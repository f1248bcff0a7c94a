import { geoAzimuthalEquidistant, geoDistance, geoInterpolate, type GeoProjection } from 'd3-geo';

/** A point on the earth, in degrees. */
export interface Spot {
  lat: number;
  lon: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Room kept free around the route, in pixels. */
export interface Margin {
  x: number;
  top: number;
  bottom: number;
}

/** How the map is laid on the screen. */
export interface Frame {
  projection: GeoProjection;
  center: Spot;
  /** Kilometres in one pixel; exact along the route, close to it elsewhere. */
  kmPerPixel: number;
  /** How much of the earth is in sight, as an angle from the centre in degrees. */
  sight: number;
  size: Size;
}

/** Mean radius of the earth, the one the shop uses for its distances. */
export const EARTH_KM = 6371.0088;

/** A route shorter than this is not magnified further: there would be nothing to see. */
const SHORTEST_KM = 0.6;

const degrees = (radians: number) => (radians * 180) / Math.PI;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** A point a fraction of the way along the great circle. */
export function along(from: Spot, to: Spot, fraction: number): Spot {
  const [lon, lat] = geoInterpolate([from.lon, from.lat], [to.lon, to.lat])(fraction);
  return { lon, lat };
}

/** Great-circle distance in kilometres. */
export function distanceKm(a: Spot, b: Spot): number {
  return geoDistance([a.lon, a.lat], [b.lon, b.lat]) * EARTH_KM;
}

/** The direction to set out from a to reach b, in radians clockwise from north. */
export function heading(a: Spot, b: Spot): number {
  const [lat1, lat2, lon] = [radians(a.lat), radians(b.lat), radians(b.lon - a.lon)];
  const y = Math.sin(lon) * Math.cos(lat2);
  const x = Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(lon);
  return x === 0 && y === 0 ? 0 : Math.atan2(y, x);
}

/**
 * Fits a route into a screen. The projection keeps distances and directions from its centre, the middle of the route: so
 * the great circle is a straight line on the screen and the scale bar is true along it, for a walk and for an ocean.
 */
export function frame(from: Spot, to: Spot, size: Size, margin: Margin): Frame {
  const angle = geoDistance([from.lon, from.lat], [to.lon, to.lat]);
  const center = along(from, to, 0.5);
  const direction = angle > 1e-9 ? heading(center, to) : 0;
  const room = {
    x: Math.max(size.width - 2 * margin.x, 40),
    y: Math.max(size.height - margin.top - margin.bottom, 40),
  };
  const wide = Math.max(angle * Math.abs(Math.sin(direction)), 1e-12);
  const high = Math.max(angle * Math.abs(Math.cos(direction)), 1e-12);
  const closest = Math.min(room.x, room.y) / (SHORTEST_KM / EARTH_KM);
  const scale = Math.min(room.x / wide, room.y / high, closest);
  // The middle of the route goes to the middle of the room that is left, and the corners may be further away than it.
  const at = { x: size.width / 2, y: margin.top + room.y / 2 };
  const reach = Math.hypot(size.width / 2, Math.max(at.y, size.height - at.y));
  const sight = Math.min(degrees(reach / scale) * 1.05, 179);
  const projection = geoAzimuthalEquidistant()
    .rotate([-center.lon, -center.lat])
    .scale(scale)
    .translate([at.x, at.y])
    .clipAngle(sight)
    .precision(0.4);
  return { projection, center, kmPerPixel: EARTH_KM / scale, sight, size };
}

/** The largest of 1, 2, 5, 10, 20, 50 … that is not above a value. */
export function nice(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** The scale bar: a round distance and its length in pixels. */
export function scaleBar(frame: Frame, longest: number): { km: number; pixels: number } {
  const km = nice(frame.kmPerPixel * longest);
  return { km, pixels: km / frame.kmPerPixel };
}

/** Rings nearer to each other than this, in pixels, are a blur. */
const RING_GAP = 36;

/** Round distances from the destination, to draw rings at: two to five of them, the last one beyond the start. */
export function rings(totalKm: number, kmPerPixel = 0): number[] {
  let step = nice(Math.max(totalKm, SHORTEST_KM) / 2);
  while (step < kmPerPixel * RING_GAP) step = nice(step * 2.5);
  const count = Math.floor(totalKm / step) + 1;
  return Array.from({ length: Math.min(Math.max(count, 2), 5) }, (_, i) =>
    Number(((i + 1) * step).toPrecision(6)),
  );
}

const STEPS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** How far apart the lines of latitude and longitude are, in degrees, for about five of them each way. */
export function gridStep(sight: number): number {
  return STEPS.find((step) => step >= sight / 5) ?? 30;
}
