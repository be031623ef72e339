/** The value of holdings over past days: which days, and which closes count for them. Sums are exact. */
import { DAY_MS } from "../../contract/day.ts";
import { multiply } from "../stock-figures.ts";
import { sumInBase, type Term } from "./base-total.ts";

/** How long a close counts while there is no newer one, in days: longer than any series of holidays. */
const MAX_PAUSE_DAYS = 10;

/** Up to this many days every weekday has a point; 300 of them at most. */
const DAILY_DAYS = 400;

/** Points of a longer range. */
const MAX_POINTS = 300;

const DAYS_A_WEEK = 7;

const isWeekend = (ms: number): boolean => [0, 6].includes(new Date(ms).getUTCDay());

const writeDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Days from `from` to `to`, oldest first, `to` among them: all weekdays, or of a longer time one in so many weeks. */
export const chartDays = (from: string, to: string): string[] => {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const days = (end - start) / DAY_MS;
  const step = days <= DAILY_DAYS ? 1 : DAYS_A_WEEK * Math.ceil(days / DAYS_A_WEEK / MAX_POINTS);
  const all: string[] = [];
  for (let ms = end; ms >= start; ms -= step * DAY_MS)
    if (step > 1 || ms === end || !isWeekend(ms)) all.push(writeDay(ms));
  return all.reverse();
};

/** A holding whose closes are known. */
export type ClosedHolding = {
  readonly quantity: string;
  /** How much one euro is worth in the currency of the closes. */
  readonly rate: string;
  /** Oldest first. */
  readonly closes: readonly (readonly [day: string, close: string])[];
};

/** Those that have a close as recent as the others have: a listing that is not traded any more has no value today. */
export const traded = <Holding extends Pick<ClosedHolding, "closes">>(
  holdings: readonly Holding[],
): readonly Holding[] => {
  const lastOf = ({ closes }: Holding): number => Date.parse(closes.at(-1)?.[0] ?? "");
  const newest = Math.max(...holdings.map(lastOf).filter((ms) => !Number.isNaN(ms)));
  return holdings.filter((holding) => newest - lastOf(holding) <= MAX_PAUSE_DAYS * DAY_MS);
};

/** The close that counts on each day, undefined where the last one is too old or none was before. `days` are in order. */
const closesOn = ({ closes }: ClosedHolding, days: readonly string[]): (string | undefined)[] => {
  let next = 0;
  return days.map((day) => {
    while (next < closes.length && (closes[next]?.[0] ?? "") <= day) next += 1;
    const [closed, close] = closes[next - 1] ?? [];
    const isFresh = closed !== undefined && Date.parse(day) - Date.parse(closed) <= MAX_PAUSE_DAYS * DAY_MS;
    return isFresh ? close : undefined;
  });
};

/** The value of all holdings on each day, in the currency of which one euro is worth `baseRate`. Days on which one is not known are left out. */
export const sumCloses = (
  holdings: readonly ClosedHolding[],
  days: readonly string[],
  baseRate: string,
): (readonly [day: string, value: string])[] => {
  const columns = holdings.map((holding) => ({ ...holding, on: closesOn(holding, days) }));
  return days.flatMap((day, place) => {
    const terms = columns.flatMap(({ quantity, rate, on }): Term[] => {
      const close = on[place];
      return close === undefined ? [] : [{ amount: multiply(quantity, close), rate }];
    });
    const value = terms.length < columns.length ? null : sumInBase(terms, baseRate);
    return value === null ? [] : [[day, value] as const];
  });
};
