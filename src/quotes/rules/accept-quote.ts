/**
 * Whether a quote is believed. It must be the price of this listing, in this unit, newer than what is stored and not from the future; a
 * jump is held until a later request agrees and nothing else explains it. Nothing is ever converted.
 */
import * as z from "zod";
import { MAX_AHEAD_MS, type Split } from "../../contract/prices/price-fields.ts";
import type { Quote } from "../sources/quote-source.ts";
import { hasHundredths, isHundredfold } from "./hundredths.ts";
import { closeOfDay, dayAt } from "./market-clock.ts";
import { marketOf } from "./markets.ts";

/** A price is believed at once within these bounds of the last one and of the close before. */
const MIN_RATIO = 0.5;
const MAX_RATIO = 2;

/** How long a held price must have been seen before it is believed, in ms; longer for one that looks like a split. */
const CONFIRM_MS = 10 * 60_000;
const CONFIRM_SPLIT_MS = 24 * 3_600_000;

/** How much a held price may have moved since it was first seen. */
const AGREES_WITHIN = 0.1;

/** Ratios that shares are split by, and how near a jump has to be to look like one. */
const SPLIT_RATIOS = [1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40];
const SPLIT_WITHIN = 0.03;

/** A believed price beyond these ratios to the last one may follow a split of few shares, such as three for two. */
const MIN_UNSPLIT = 0.8;
const MAX_UNSPLIT = 1.25;

/** What is known of a listing before a quote comes in. */
export type KnownPrice = {
  readonly mic: string | null;
  readonly currency: string;
  readonly price: string | null;
  readonly asOfMs: number | null;
  /** A price that is held, and since when it is seen. */
  readonly pending: HeldPrice | null;
  /** Splits since the last price. */
  readonly splits: readonly Split[];
  /** Splits of the last price's day. They are in that price, but maybe not in the close before it. */
  readonly splitsOfDay: readonly Split[];
};

/** A price that nobody is shown yet. */
export const HeldPrice = z.object({ price: z.string(), sinceMs: z.number() });
export type HeldPrice = Readonly<z.infer<typeof HeldPrice>>;

/** A price that is believed. `asOfKind` is `day` where the source names no time: then it is the close of that day. */
type AcceptedQuote = {
  readonly price: string;
  readonly previousClose: string | null;
  readonly asOfMs: number;
  readonly asOfKind: "trade" | "day";
  readonly isMarketOpen: boolean | null;
};

/** `listing`: another market. `unit`: another currency. `old`: older than what is stored. `future`: from a clock that is wrong. */
export type Verdict =
  | { readonly verdict: "accepted"; readonly quote: AcceptedQuote }
  | { readonly verdict: "held"; readonly pending: HeldPrice }
  | { readonly verdict: "refused"; readonly because: "listing" | "unit" | "old" | "future" };

/** Decides. `nowMs` is when the answer came. */
export const acceptQuote = (known: KnownPrice, given: Quote, nowMs: number): Verdict => {
  const quote = inNewShares(known, given);
  if (quote.mic !== null && known.mic !== null && quote.mic !== marketOf(known.mic)) return refuse("listing");
  if (quote.currency !== null && quote.currency !== known.currency) return refuse("unit");
  const isTrade = "atMs" in quote.asOf;
  if ("day" in quote.asOf && quote.asOf.day > dayAt(known.mic, nowMs + MAX_AHEAD_MS)) return refuse("future");
  // A day that is not over yet is known as of now.
  const statedMs = "atMs" in quote.asOf ? quote.asOf.atMs : Math.min(closeOfDay(known.mic, quote.asOf.day), nowMs);
  if (statedMs > nowMs + MAX_AHEAD_MS) return refuse("future");
  // Sources name whole seconds. Another price of the same second corrects it, and counts as a millisecond later, so that it is copied.
  const isSameTime = known.asOfMs !== null && statedMs === known.asOfMs - (known.asOfMs % 1_000);
  const asOfMs = isSameTime ? known.asOfMs + (quote.price === known.price ? 0 : 1) : statedMs;
  // A stored price with a time further ahead came from a wrong clock, and gives way.
  const isOld = known.asOfMs !== null && asOfMs < known.asOfMs && known.asOfMs <= nowMs + MAX_AHEAD_MS;
  if (isOld) return refuse("old");
  const jumps = jumpsOf(known, quote);
  if (jumps.length > 0 && !isConfirmed(known, quote.price, jumps, nowMs)) {
    const isSame = known.pending !== null && agrees(known.pending.price, quote.price);
    return { verdict: "held", pending: isSame ? known.pending : { price: quote.price, sinceMs: nowMs } };
  }
  const { price, previousClose, isMarketOpen } = quote;
  const asOfKind = isTrade ? "trade" : "day";
  return { verdict: "accepted", quote: { price, previousClose, asOfMs, asOfKind, isMarketOpen } };
};

const refuse = (because: "listing" | "unit" | "old" | "future"): Verdict => ({ verdict: "refused", because });

/** The ratios to the last price and to the close before that are beyond an ordinary day, without those that a known split explains. */
const jumpsOf = ({ price: last, splits }: KnownPrice, { price, previousClose }: Quote): number[] => {
  const ratios = [last, previousClose].flatMap((before) => (before === null ? [] : [Number(price) / Number(before)]));
  return ratios.filter((ratio) => !isOrdinary(ratio) && !isOrdinary(ratio * factorOf(splits)));
};

const factorOf = (splits: readonly Split[]): number =>
  splits.reduce((so, { numerator, denominator }) => (so * numerator) / denominator, 1);

/** Drops a previous close that fits the price better once it is split: it still counts old shares. */
const inNewShares = ({ splits, splitsOfDay }: KnownPrice, quote: Quote): Quote => {
  const ratio = Number(quote.price) / Number(quote.previousClose);
  const split = ratio * factorOf([...splits, ...splitsOfDay]);
  return Math.abs(Math.log(split)) < Math.abs(Math.log(ratio)) ? { ...quote, previousClose: null } : quote;
};

/** Whether a price that is no jump is worth asking for a split, which costs a credit. */
export const mayFollowSplit = ({ price: last, splits }: KnownPrice, { price }: Quote): boolean => {
  const ratio = last === null ? 1 : Number(price) / Number(last);
  return splits.length === 0 && (ratio < MIN_UNSPLIT || ratio > MAX_UNSPLIT);
};

const isOrdinary = (ratio: number): boolean => ratio >= MIN_RATIO && ratio <= MAX_RATIO;

const agrees = (one: string, other: string): boolean => Math.abs(Number(other) / Number(one) - 1) <= AGREES_WITHIN;

const isConfirmed = (
  { pending, currency }: KnownPrice,
  price: string,
  jumps: readonly number[],
  nowMs: number,
): boolean => {
  if (pending === null || !agrees(pending.price, price)) return false;
  const isHundred = jumps.some(isHundredfold);
  // A wrong unit stays wrong however often it is repeated.
  if (isHundred && hasHundredths(currency)) return false;
  const sizes = jumps.map((ratio) => Math.max(ratio, 1 / ratio));
  const isSplit =
    isHundred || sizes.some((size) => SPLIT_RATIOS.some((ratio) => Math.abs(size / ratio - 1) <= SPLIT_WITHIN));
  return nowMs - pending.sinceMs >= (isSplit ? CONFIRM_SPLIT_MS : CONFIRM_MS);
};
