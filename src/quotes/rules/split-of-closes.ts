/** Splits and series of closes: adjusting what was traded, and finding a split by how a series has shifted. */
import Big from "big.js";
import type { Split } from "../../contract/prices/price-fields.ts";
import { canonicalDecimal } from "../../contract/stocks/canonical-decimal.ts";
import { hasHundredths, isHundredfold } from "./hundredths.ts";
import { dayAt } from "./market-clock.ts";

/** A day and its close. */
export type Close = readonly [day: string, close: string];

const Exact = Big();

Exact.DP = 10;

/** Closes as if every split had always been: those before a split are divided by it. Rounded to 10 decimals. */
export const adjustForSplits = (closes: readonly Close[], splits: readonly Split[]): Close[] =>
  closes.map(([day, close]) => {
    const later = splits.filter((split) => split.day > day);
    const [up, down] = later.reduce(
      ([numerator, denominator], split) => [numerator.times(split.numerator), denominator.times(split.denominator)],
      [new Exact(1), new Exact(1)] as const,
    );
    return later.length === 0 ? [day, close] : [day, canonicalDecimal(new Exact(close).times(down).div(up).toFixed())];
  });

/** Days that both series must have, and agree on. */
const MIN_DAYS = 5;

/** Most days that may differ: earlier releases stored the price of a day that was not over yet as its close. */
const MAX_ODD_DAYS = 1;

/** How far a day's ratio may be from the common one, as closes are rounded. A ratio of small whole numbers must be twice as near. */
const WITHIN = 0.01;

/** Most shares that a split makes of one, or makes into one: more than that is an error of the source. */
export const MAX_SPLIT = 10_000;

const MAX_PART = 50;

/** Most old shares that one new share may be made of. */
const MAX_FOR_ONE = 200;

/**
 * The split by which the source has shifted its whole series since it was stored: `10 for 1` when each stored close is ten times the new
 * one. Undefined unless the series differ by one such ratio on all days but one, and when they differ by a hundred where that is another
 * unit.
 */
export const shiftOf = (
  stored: readonly Close[],
  fetched: readonly Close[],
  currency: string,
): { readonly numerator: number; readonly denominator: number } | undefined => {
  const now = new Map(fetched);
  const ratios = stored.flatMap(([day, close]) => {
    const other = now.get(day);
    return other === undefined ? [] : [Number(close) / Number(other)];
  });
  const middle = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)];
  if (middle === undefined || Math.abs(middle - 1) <= WITHIN * 5 || middle > MAX_SPLIT) return undefined;
  if (isHundredfold(middle) && hasHundredths(currency)) return undefined;
  const odd = ratios.filter((ratio) => Math.abs(ratio / middle - 1) > WITHIN).length;
  if (odd > MAX_ODD_DAYS || ratios.length - odd < MIN_DAYS) return undefined;
  for (let denominator = 1; denominator <= MAX_FOR_ONE; denominator += 1) {
    const numerator = Math.round(middle * denominator);
    if (denominator > MAX_PART && numerator > 1) return undefined;
    if (numerator > 0 && Math.abs(numerator / denominator / middle - 1) <= WITHIN / 2)
      return { numerator, denominator };
  }
  return undefined;
};

type Ratio = Pick<Split, "numerator" | "denominator">;

/**
 * A shift as a split of a listing whose price is of `priceDay`; undefined if the price does not show the split. Its day is `today` while
 * the price is still in old shares, otherwise the first day in new ones.
 */
export const splitOfShift = (
  shift: Ratio,
  stored: readonly Close[],
  fetched: readonly Close[],
  price: string,
  priceDay: string,
  today: string,
): Split | undefined => {
  // A source may shift its closes hours after its price: the new price is then held, and nothing else would explain it any more.
  if (isInOldShares(price, fetched.at(-1)?.[1], shift)) return { day: today, ...shift };
  const now = new Map(fetched);
  const last = stored.findLast(([day, close]) => isInOldShares(close, now.get(day), shift));
  if (last === undefined || !isInOldShares(last[1], price, shift)) return undefined;
  return { day: fetched.find(([day]) => day > last[0])?.[0] ?? priceDay, ...shift };
};

/**
 * Whether a quote, of an ISO time, still counts shares from before its listing's last split, while a stock's `lastPrice` counts those after
 * it. The day of the quote, by its market's clock, is not enough: a split that was found by closes may have too late a day.
 */
export const isBeforeSplit = (
  mic: string | null,
  { price, asOf }: { readonly price: string; readonly asOf: string },
  split: Split | null,
  lastPrice: string | null,
): boolean =>
  split !== null &&
  dayAt(mic, Date.parse(asOf)) < split.day &&
  (lastPrice === null || isInOldShares(price, lastPrice, split));

/** Whether a price predates a split that a newer price already includes: once split, it is closer to the newer price than unsplit. */
const isInOldShares = (price: string, newer: string | undefined, { numerator, denominator }: Ratio): boolean => {
  if (newer === undefined) return false;
  const ratio = Number(price) / Number(newer);
  return Math.abs(Math.log((ratio * denominator) / numerator)) < Math.abs(Math.log(ratio));
};
