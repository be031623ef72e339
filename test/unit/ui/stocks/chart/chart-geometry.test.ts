/** Where things of a chart are. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChartPoint,
  cutGaps,
  heightOf,
  nearestTo,
  nearLines,
  pathOf,
  placesOf,
  pointAfterKey,
  scaleOf,
  sparkPath,
} from "../../../../../src/ui/stocks/chart/chart-geometry.ts";

const DAY_MS = 24 * 3_600_000;

const START_MS = Date.parse("2026-01-05");

const dayAfter = (days: number): string => new Date(START_MS + days * DAY_MS).toISOString().slice(0, 10);

/** Points that are so many days apart from each other. */
const series = (steps: readonly (readonly [days: number, value: number])[]): ChartPoint[] => {
  let day = 0;
  return steps.map(([days, value]) => {
    day += days;
    return { day: dayAfter(day), value };
  });
};

const value = fc.double({ min: 0.0001, max: 1e9, noNaN: true });

const points = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), value), { minLength: 1, maxLength: 60 }).map(series);

describe("any series", () => {
  it("goes from left to right, whole, within the plot", () => {
    fc.assert(
      fc.property(points, (any) => {
        const places = placesOf(any);
        expect(places).toHaveLength(any.length);
        expect(places.filter((place) => place < 0 || place > 1)).toEqual([]);
        expect(places.toSorted((one, other) => one - other)).toEqual(places);
        const scale = scaleOf(any.map((point) => point.value));
        const heights = any.map((point) => heightOf(point.value, scale));
        expect(heights.filter((height) => !(height >= 0 && height <= 1))).toEqual([]);
      }),
    );
  });

  it("is drawn as one path with a number for each point, and a start for each stretch", () => {
    fc.assert(
      fc.property(points, (any) => {
        const path = pathOf(any, scaleOf(any.map((point) => point.value)));
        expect(path.match(/M/g)).toHaveLength(cutGaps(any).length);
        expect(path.match(/[\d.]+ [\d.]+/g)).toHaveLength(any.length);
        expect(path).not.toMatch(/NaN|Infinity|e/);
      }),
    );
  });

  it("loses and doubles no point where it is cut", () => {
    fc.assert(fc.property(points, (any) => void expect(cutGaps(any).flat()).toEqual(any)));
  });

  it("has a few round ticks within its scale, lowest first", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const { low, high, ticks } = scaleOf(values);
        expect(low).toBeLessThan(high);
        expect(ticks.length).toBeGreaterThanOrEqual(1);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.filter((tick) => tick < low - 1e-9 * high || tick > high * (1 + 1e-9))).toEqual([]);
        expect(ticks.toSorted((one, other) => one - other)).toEqual(ticks);
      }),
      { examples: [[[999999999.9999992, 999999999.9999988]]] },
    );
  });

  it("marks the point that is nearest to the pointer", () => {
    fc.assert(
      fc.property(points, fc.double({ min: 0, max: 1, noNaN: true }), (any, at) => {
        const places = placesOf(any);
        const nearest = places[nearestTo(places, at) ?? -1];
        const distances = places.map((place) => Math.abs(place - at));
        expect(Math.abs((nearest ?? Number.NaN) - at)).toBe(Math.min(...distances));
      }),
    );
  });
});

describe("a series with days missing", () => {
  it("is not cut by a weekend or by holidays", () => {
    expect(
      cutGaps(
        series([
          [0, 1],
          [1, 2],
          [3, 3],
          [1, 4],
          [9, 5],
        ]),
      ),
    ).toHaveLength(1);
  });

  it("is cut where nothing is known for longer", () => {
    const known = series([
      [0, 1],
      [1, 2],
      [1, 3],
      [30, 4],
      [1, 5],
    ]);
    expect(cutGaps(known)).toEqual([known.slice(0, 3), known.slice(3)]);
    expect(pathOf(known, scaleOf([1, 5])).match(/M/g)).toHaveLength(2);
  });

  it("is not cut where it only has fewer points than days", () => {
    expect(cutGaps(series(Array.from({ length: 20 }, (_, nth) => [14, nth + 1] as const)))).toHaveLength(1);
  });

  it("has a dot for a day between two gaps", () => {
    const days = [0, 1, 1, 40, 40, 1, 1].map((step) => [step, 1] as const);
    expect(pathOf(series(days), scaleOf([1]))).toContain("h0");
  });
});

it("equal values are in the middle, and a single point too", () => {
  expect(heightOf(7, scaleOf([7, 7]))).toBeCloseTo(0.5);
  expect(placesOf([{ day: "2026-01-05", value: 7 }])).toEqual([0.5]);
  expect(nearestTo([], 0.5)).toBe(undefined);
});

it("a level far from the series is left out, so that it does not flatten it", () => {
  const known = series([
    [0, 100],
    [1, 110],
  ]);
  const levels = [{ value: 20 }, { value: 98 }, { value: 112 }, { value: 400 }];
  expect(nearLines(known, levels)).toEqual([{ value: 98 }, { value: 112 }]);
});

it.each([
  ["ArrowLeft", 5, 4],
  ["ArrowRight", 5, 6],
  ["ArrowRight", 19, 19],
  ["ArrowLeft", 0, 0],
  ["PageUp", 5, 7],
  ["PageDown", 5, 3],
  ["Home", 5, 0],
  ["End", 5, 19],
  ["a", 5, undefined],
  ["constructor", 5, undefined],
])("%s at point %i of 20 leads to %s", (key, from, to) => {
  expect(pointAfterKey(key, from, 20)).toBe(to);
});

it("a small line goes from left to right, the highest at the top", () => {
  expect(sparkPath([0, 40, 100])).toBe("M0.0 100L50.0 60L100.0 0");
});
