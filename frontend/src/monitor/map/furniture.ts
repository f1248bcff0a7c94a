import type { Size } from './frame';

/** A rectangle of the screen, in pixels. */
export interface Zone extends Size {
  x: number;
  y: number;
}

/** A map lower than this has no room for a compass dial. */
export const COMPACT = 168;

/** Where other things lie over the map, so that nothing is written under them: compass, buttons, note and scale bar. */
export function furniture({ width, height }: Size): Zone[] {
  const compact = height < COMPACT;
  return [
    { x: 0, y: 0, width: compact ? 116 : 96, height: compact ? 30 : 92 },
    { x: width - 144, y: 0, width: 144, height: 42 },
    { x: 0, y: height - 26, width: Math.min(width - 130, 300), height: 26 },
    { x: width - 130, y: height - 32, width: 130, height: 32 },
  ];
}

/** Whether a text of this size may stand there: inside the screen and clear of every zone. */
export function isClear(text: Zone, size: Size, zones: readonly Zone[]): boolean {
  const right = text.x + text.width;
  const bottom = text.y + text.height;
  if (text.x < 4 || text.y < 2 || right > size.width - 4 || bottom > size.height - 2) return false;
  return !zones.some(
    (z) => text.x < z.x + z.width && right > z.x && text.y < z.y + z.height && bottom > z.y,
  );
}
