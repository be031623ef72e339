/** Positions in a chart, as shares of its width and height: from 0 at the left and the top to 1. No pixels, no elements. */
import { DAY_MS } from "../../../contract/day.ts";

/** A day, `YYYY-MM-DD`, and a value to draw. */
export type ChartPoint = { readonly day: string; readonly value: number };

/** Longest time between two points that does not count as a gap, in days: longer than any series of holidays. */
const MAX_PAUSE_DAYS = 10;

/** In a series with fewer points than days, more than this many times the usual distance is a gap. */
const MAX_PAUSE_STEPS = 4;

const timeOf = ({ day }: ChartPoint): number => Date.parse(day);

/** Where each point is from left to right, by its day. A single one is in the middle. */
export const placesOf = (points: readonly ChartPoint[]): readonly number[] => {
  const times = points.map(timeOf);
  const start = times[0] ?? 0;
  const length = (times.at(-1) ?? 0) - start;
  return times.map((time) => (length > 0 ? (time - start) / length : 0.5));
};

/** Splits a series where days are missing, so that no line is drawn over what is not known. */
export const cutGaps = <Point extends ChartPoint>(points: readonly Point[]): readonly (readonly Point[])[] => {
  const steps = points.slice(1).map((point, place) => timeOf(point) - timeOf(points[place] ?? point));
  const usual = steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
  const longest = Math.max(MAX_PAUSE_DAYS * DAY_MS, usual * MAX_PAUSE_STEPS);
  const stretches: Point[][] = [];
  for (const [place, point] of points.entries()) {
    const last = stretches.at(-1);
    if (last === undefined || (steps[place - 1] ?? 0) > longest) stretches.push([point]);
    else last.push(point);
  }
  return stretches;
};

/** The values that a chart shows. `ticks` are round numbers within, lowest first. */
export type ValueScale = { readonly low: number; readonly high: number; readonly ticks: readonly number[] };

/** The most ticks that a scale is to have. */
const MAX_TICKS = 5;

/** How far beyond the series a line is still shown, as a share of the series' own height. A line farther off would flatten the series. */
const REACH = 0.6;

/** Room above and below, as a share. */
const MARGIN = 0.06;

/** The lines that are near enough to the series to be shown with it. */
export const nearLines = <Line extends { readonly value: number }>(
  points: readonly ChartPoint[],
  lines: readonly Line[],
): readonly Line[] => {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const reach = Math.max((high - low) * REACH, high * 0.05);
  return lines.filter(({ value }) => value >= low - reach && value <= high + reach);
};

/** Values that differ by no more than this share count as equal: there are too few numbers between them for round ticks. */
const LEAST_SPREAD = 1e-9;

/** A scale for these values; at least one is needed. Equal values are in the middle. */
export const scaleOf = (values: readonly number[]): ValueScale => {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const isFlat = highest - lowest <= Math.abs(highest) * LEAST_SPREAD;
  const spread = isFlat ? Math.abs(highest) * 0.1 || 1 : highest - lowest;
  const middle = (lowest + highest) / 2;
  const half = spread * (0.5 + MARGIN);
  const [low, high] = [middle - half, middle + half];
  const step = roundStep((high - low) / MAX_TICKS);
  const first = Math.ceil(low / step);
  const count = Math.max(0, Math.floor(high / step) - first + 1);
  return { low, high, ticks: Array.from({ length: count }, (_, nth) => (first + nth) * step) };
};

/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `least`. */
const roundStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;
  return times * power;
};

/** Where a value is from top to bottom. */
export const heightOf = (value: number, { low, high }: ValueScale): number => (high - value) / (high - low);

/** Decimals of a path: a thousandth of the chart is less than a pixel. */
const DECIMALS = 2;

/** A path over the series in a box of 100 by 100, with a stretch for each part between gaps. A lone point becomes a dot. */
export const pathOf = (points: readonly ChartPoint[], scale: ValueScale): string => {
  const places = new Map(placesOf(points).map((place, nth) => [points[nth], place]));
  const at = (share: number): string => (share * 100).toFixed(DECIMALS);
  return cutGaps(points)
    .map((stretch) => {
      const steps = stretch.map((point) => `${at(places.get(point) ?? 0)} ${at(heightOf(point.value, scale))}`);
      return `M${steps.join("L")}${steps.length === 1 ? "h0" : ""}`;
    })
    .join("");
};

/** The point that is nearest to a place from left to right; undefined without points. */
export const nearestTo = (places: readonly number[], place: number): number | undefined => {
  let nearest: number | undefined;
  for (const [nth, other] of places.entries()) {
    if (nearest === undefined || Math.abs(other - place) < Math.abs((places[nearest] ?? 0) - place)) nearest = nth;
  }
  return nearest;
};

const KEY_STEPS = new Map<string, (large: number) => number>([
  ["ArrowLeft", () => -1],
  ["ArrowDown", () => -1],
  ["ArrowRight", () => 1],
  ["ArrowUp", () => 1],
  ["PageDown", (large) => -large],
  ["PageUp", (large) => large],
]);

/** Large key steps that cross the whole series. */
const LARGE_STEPS = 10;

/** The point that a key leads to from another one; undefined for a key that means nothing here. */
export const pointAfterKey = (key: string, from: number, count: number): number | undefined => {
  const large = Math.max(1, Math.round(count / LARGE_STEPS));
  const step = KEY_STEPS.get(key)?.(large);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return step === undefined ? undefined : Math.min(Math.max(from + step, 0), count - 1);
};

/** The path of a small line of 2 to 30 numbers from 0 to 100, in a box of 100 by 100. */
export const sparkPath = (values: readonly number[]): string =>
  `M${values.map((value, nth) => `${((nth / (values.length - 1)) * 100).toFixed(1)} ${100 - value}`).join("L")}`;
