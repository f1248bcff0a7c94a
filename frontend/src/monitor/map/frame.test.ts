import { describe, expect, it } from 'vitest';

import { along, distanceKm, EARTH_KM, frame, gridStep, nice, rings, scaleBar } from './frame';

const seoul = { lat: 37.5663, lon: 126.9779 };
const busan = { lat: 35.1151, lon: 129.0413 };
const station = { lat: 37.5547, lon: 126.9707 };
const newYork = { lat: 40.7128, lon: -74.006 };
const size = { width: 640, height: 240 };
const margin = { x: 70, top: 40, bottom: 40 };

describe('frame', () => {
  it.each([
    ['a walk', seoul, station],
    ['a country', seoul, busan],
    ['an ocean, over the date line', seoul, newYork],
    ['opposite ends of the earth', { lat: 0, lon: 0 }, { lat: 0, lon: 180 }],
    ['no way at all', seoul, seoul],
  ])('shows both ends of %s inside the margins', (_, from, to) => {
    const { projection } = frame(from, to, size, margin);
    for (const spot of [from, to]) {
      const [x, y] = projection([spot.lon, spot.lat]) ?? [NaN, NaN];
      expect(x).toBeGreaterThanOrEqual(margin.x - 0.5);
      expect(x).toBeLessThanOrEqual(size.width - margin.x + 0.5);
      expect(y).toBeGreaterThanOrEqual(margin.top - 0.5);
      expect(y).toBeLessThanOrEqual(size.height - margin.bottom + 0.5);
    }
  });

  it('uses the room there is', () => {
    const { projection } = frame(seoul, busan, size, margin);
    const [a, b] = [seoul, busan].map((s) => projection([s.lon, s.lat])?.[1] ?? 0);
    expect(Math.abs(a! - b!)).toBeCloseTo(size.height - margin.top - margin.bottom, 0);
  });

  it('keeps the great circle straight and true to scale', () => {
    const plan = frame(seoul, newYork, size, margin);
    const at = (part: number) => {
      const spot = along(seoul, newYork, part);
      return plan.projection([spot.lon, spot.lat]) ?? [0, 0];
    };
    const [a, m, b] = [at(0), at(0.25), at(1)];
    const pixels = Math.hypot(b[0] - a[0], b[1] - a[1]);
    expect(pixels * plan.kmPerPixel).toBeCloseTo(distanceKm(seoul, newYork), 3);
    expect(m[0]).toBeCloseTo(a[0] + (b[0] - a[0]) / 4, 3);
    expect(m[1]).toBeCloseTo(a[1] + (b[1] - a[1]) / 4, 3);
  });

  it('does not magnify a step over the threshold beyond all measure', () => {
    const plan = frame(seoul, { lat: 37.5664, lon: 126.978 }, size, margin);
    expect(plan.kmPerPixel * (size.height - margin.top - margin.bottom)).toBeCloseTo(0.6, 6);
  });
});

it('goes along the great circle by distance', () => {
  const half = along(seoul, busan, 0.5);
  expect(distanceKm(seoul, half)).toBeCloseTo(distanceKm(half, busan), 6);
  expect(distanceKm(seoul, busan)).toBeGreaterThan(320);
  expect(distanceKm({ lat: 0, lon: 0 }, { lat: 0, lon: 90 })).toBeCloseTo((EARTH_KM * Math.PI) / 2);
});

it('finds round numbers', () => {
  expect([0.7, 1, 4.9, 5, 37, 1999, 0].map(nice)).toEqual([0.5, 1, 2, 5, 20, 1000, 1]);
});

it('draws a scale bar no longer than asked for', () => {
  const plan = frame(seoul, busan, size, margin);
  const bar = scaleBar(plan, 110);
  expect(bar.pixels).toBeLessThanOrEqual(110);
  expect(bar.pixels).toBeGreaterThan(40);
  expect(bar.pixels * plan.kmPerPixel).toBeCloseTo(bar.km, 6);
});

it.each([
  [0.4, [0.2, 0.4, 0.6]],
  [4.2, [2, 4, 6]],
  [325, [100, 200, 300, 400]],
  [11_052, [5000, 10000, 15000]],
])('rings a route of %s km', (km, want) => {
  expect(rings(km)).toEqual(want);
});

it('draws fewer rings on a small map', () => {
  expect(rings(325, 4)).toEqual([200, 400]);
});

it('spaces the grid by what is in sight', () => {
  expect(gridStep(0.05)).toBe(0.01);
  expect(gridStep(5)).toBe(1);
  expect(gridStep(170)).toBe(30);
});
