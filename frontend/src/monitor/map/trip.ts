import type { Brush, Inks, Label } from './chart';
import { along, type Frame, type Spot } from './frame';
import { furniture, isClear, type Zone } from './furniture';

export interface Trip {
  from: Label;
  to: Label;
  /** How much of the way lies behind, 0…1. */
  progress: number;
}

type Point = [number, number];

/** Where the traveller stands on the screen, for telling whether a new picture would look any different. */
export function stand(frame: Frame, from: Spot, to: Spot, progress: number): Point {
  const here = along(from, to, progress);
  return frame.projection([here.lon, here.lat]) ?? [0, 0];
}

/** Draws everything that moves: the line still to go, the line travelled, both ends and the traveller. */
export function drawTrip(brush: Brush, frame: Frame, trip: Trip, inks: Inks): void {
  const { width, height } = frame.size;
  brush.clearRect(0, 0, width, height);
  const from = stand(frame, trip.from.spot, trip.to.spot, 0);
  const to = stand(frame, trip.from.spot, trip.to.spot, 1);
  const here = stand(frame, trip.from.spot, trip.to.spot, trip.progress);

  line(brush, here, to, inks.route, 2, [2, 5]);
  line(brush, from, here, inks.route, 3.5, []);
  disc(brush, from, 4, inks.route, inks.water);
  destination(brush, to, inks);
  arrow(brush, here, Math.atan2(to[1] - from[1], to[0] - from[0]), inks);

  const zones = furniture(frame.size);
  // Names stand away from the line; on a line that lies flat, both above it.
  const climb = to[1] - from[1];
  const side = Math.abs(climb) < 36 ? -1 : Math.sign(climb);
  name(brush, from, trip.from.text, Math.abs(climb) < 36 ? -1 : -side, frame, zones, inks);
  name(brush, to, trip.to.text, side, frame, zones, inks);
}

function line(brush: Brush, a: Point, b: Point, ink: string, wide: number, dash: number[]): void {
  brush.beginPath();
  brush.moveTo(a[0], a[1]);
  brush.lineTo(b[0], b[1]);
  brush.lineCap = 'round';
  brush.lineWidth = wide;
  brush.setLineDash(dash);
  brush.strokeStyle = ink;
  brush.stroke();
  brush.setLineDash([]);
}

function disc(brush: Brush, at: Point, radius: number, ink: string, rim: string): void {
  brush.beginPath();
  brush.arc(at[0], at[1], radius, 0, 2 * Math.PI);
  brush.fillStyle = ink;
  brush.fill();
  brush.lineWidth = 2;
  brush.strokeStyle = rim;
  brush.stroke();
}

function destination(brush: Brush, at: Point, inks: Inks): void {
  disc(brush, at, 8, inks.text, inks.water);
  disc(brush, at, 3, inks.water, inks.water);
}

function arrow(brush: Brush, at: Point, angle: number, inks: Inks): void {
  brush.save();
  brush.translate(at[0], at[1]);
  brush.rotate(angle);
  brush.beginPath();
  brush.moveTo(13, 0);
  brush.lineTo(-8, 8.5);
  brush.lineTo(-4, 0);
  brush.lineTo(-8, -8.5);
  brush.closePath();
  brush.lineJoin = 'round';
  brush.lineWidth = 4;
  brush.strokeStyle = inks.water;
  brush.stroke();
  brush.fillStyle = inks.route;
  brush.fill();
  brush.restore();
}

/** Writes the name of a place above (-1) or below (1) it, or where else there is room. */
function name(
  brush: Brush,
  at: Point,
  text: string,
  side: number,
  frame: Frame,
  zones: readonly Zone[],
  inks: Inks,
): void {
  brush.font = `600 13px ${inks.font}`;
  brush.textAlign = 'center';
  brush.textBaseline = 'middle';
  const half = brush.measureText(text).width / 2;
  const places: Point[] = [
    [at[0], at[1] + side * 21],
    [at[0], at[1] - side * 21],
    [at[0] + half + 16, at[1]],
    [at[0] - half - 16, at[1]],
  ];
  const inside = places.map(([x, y]): Point => [
    Math.min(Math.max(x, half + 8), Math.max(frame.size.width - half - 8, half + 8)),
    y,
  ]);
  const free = inside.find(([x, y]) =>
    isClear({ x: x - half, y: y - 9, width: half * 2, height: 18 }, frame.size, zones),
  );
  const [x, y] = free ?? inside[0] ?? at;
  brush.lineJoin = 'round';
  brush.lineWidth = 4;
  brush.strokeStyle = inks.water;
  brush.strokeText(text, x, y);
  brush.fillStyle = inks.text;
  brush.fillText(text, x, y);
}
