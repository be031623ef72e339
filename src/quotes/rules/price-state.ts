/** What a price may be called: how fresh it is, and why not fresher. */
import * as z from "zod";
import { DAY_MS } from "../../contract/day.ts";
import { parseJson } from "../../contract/parse-json.ts";
import type { PriceState, Split } from "../../contract/prices/price-fields.ts";
import type { MarketMoment } from "./market-clock.ts";

/**
 * What a stock keeps of its quote beside price and time, as JSON. It changes only when what is shown may change, so that a request
 * that brings nothing new writes no row.
 */
export const QuoteMark = z.object({
  kind: z.enum(["trade", "day"]),
  /** The last session that had ended, with the source's delay, when this price was still the newest. */
  session: z.string(),
  /** The day on which the source said, in trading hours, that the market is closed: a holiday. */
  closedOn: z.string().nullable(),
  /** A newer price is held back. */
  isHeld: z.boolean(),
});
export type QuoteMark = z.infer<typeof QuoteMark>;

/** Marks that were read, by their text: all stocks of a market share a few, and a list of thousands reads each of its own. */
const marks = new Map<string, QuoteMark>();

/** Most marks that are kept: a few for each market and session. */
const MAX_MARKS = 500;

/** Reads a mark; null for none, and for a price that was typed in and waits for the source's next one. */
export const readMark = (json: string | null): Readonly<QuoteMark> | null => {
  if (json === null || !json.startsWith("{")) return null;
  const known = marks.get(json);
  if (known !== undefined) return known;
  const mark = QuoteMark.parse(parseJson(json));
  if (marks.size >= MAX_MARKS) marks.clear();
  marks.set(json, mark);
  return mark;
};

/** A trade is `live` up to this age, in ms. Sources are 15 to 20 minutes behind. */
const LIVE_MS = 20 * 60_000;

/** Longest that a price stays a close without a trade, in days: longer than any series of holidays. */
const MAX_CLOSE_DAYS = 10;

/** The mark of a price. `fetchedMs` is when the source stated it, `momentAt` the market's moment at a time. */
export const markOf = (
  quote: { readonly asOfKind: "trade" | "day"; readonly isMarketOpen: boolean | null },
  fetchedMs: number,
  isHeld: boolean,
  momentAt: (ms: number) => MarketMoment,
): QuoteMark => {
  const now = momentAt(fetchedMs);
  return {
    kind: quote.asOfKind,
    session: now.settledTradingDay,
    closedOn: quote.isMarketOpen === false && now.isTrading ? now.today : null,
    isHeld,
  };
};

/** What the state of a price depends on. */
export type StatedPrice = {
  readonly lastPrice: string | null;
  readonly lastPriceAt: string | null;
  readonly mark: QuoteMark | null;
  readonly pendingSplit: Split | null;
};

/** The state at a moment of the price's market. */
export const priceStateOf = (
  { lastPrice, lastPriceAt, mark, pendingSplit }: StatedPrice,
  now: MarketMoment,
  nowMs: number,
  dayOf: (ms: number) => string,
): PriceState => {
  if (pendingSplit !== null || mark?.isHeld === true) return "pending";
  if (lastPrice === null || lastPriceAt === null) return "none";
  if (mark === null) return "manual";
  const asOfMs = Date.parse(lastPriceAt);
  const isOpen = now.isTrading && mark.closedOn !== now.today;
  if (isOpen && mark.kind === "trade" && dayOf(asOfMs) === now.today) {
    return nowMs - asOfMs <= LIVE_MS ? "live" : "delayed";
  }
  const isOfLastSession =
    mark.session >= now.settledTradingDay || (mark.kind === "day" && dayOf(asOfMs) >= now.lastTradingDay);
  return isOfLastSession && nowMs - asOfMs <= MAX_CLOSE_DAYS * DAY_MS ? "close" : "stale";
};
