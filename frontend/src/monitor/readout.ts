import type { Media } from '$lib/api/types';

import { text } from './messages';

/** A distance as a sign shows it: 850 m, 3.4 km, 197 km, 11,052 km. */
export function distance(km: number): string {
  if (!(km > 0)) return '0 m';
  if (km < 0.9995) return `${Math.max(Math.round(km * 100) * 10, 10)} m`;
  if (km < 9.95) return `${km.toFixed(1)} km`;
  return `${Math.round(km).toLocaleString('en-US')} km`;
}

/** A round distance, for rings and the scale bar: 500 m, 20 km. */
export function roundDistance(km: number): string {
  return km < 1 ? `${Math.round(km * 1000)} m` : `${km.toLocaleString('en-US')} km`;
}

/** Real seconds until a piece ends at the pace it has; undefined where nobody knows. */
export function secondsLeft(media: Media): number | undefined {
  if (!media.seconds) return undefined;
  const rate = media.rate && media.rate > 0 ? media.rate : 1;
  return Math.max(media.seconds - (media.position ?? 0), 0) / rate;
}

/** A span of time for a glance, in one or two units. */
export function span(seconds: number): string {
  if (seconds < 60) return text.seconds(Math.ceil(seconds));
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return text.minutes(minutes);
  return text.hours(Math.floor(minutes / 60), minutes % 60);
}

/** How far a piece is, 0…1. */
export function progressOf(media: Media): number {
  if (media.map) return Math.min(Math.max(media.map.progress, 0), 1);
  return media.seconds ? Math.min((media.position ?? 0) / media.seconds, 1) : 0;
}

/** 60 → "60", 1.5 → "1.5": a pace for a small badge. */
export const paceText = (rate: number): string =>
  rate >= 10 ? String(Math.round(rate)) : String(Math.round(rate * 10) / 10);
