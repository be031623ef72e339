/** Which listings are asked for next, and in which order. */
import { parseJson } from "../../contract/parse-json.ts";
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import type { ListingRow } from "../../db/prices/instruments.ts";
import { HeldPrice } from "../rules/accept-quote.ts";
import { closeOfDay, type MarketClock, SETTLED_MS } from "../rules/market-clock.ts";

/** How soon a held price, or one that was refused for a passing reason, is asked for again while somebody looks, in ms. */
export const AGAIN_MS = 10 * 60_000;

/** How long a held price is asked for again soon, in ms. A real jump is confirmed within this time, the others hardly ever are. */
const NEWLY_HELD_MS = 60 * 60_000;

/** How often a listing that the source does not know, or the plan does not include, is asked for, in ms. */
const REFUSED_MS = 24 * 3_600_000;

/** How prices are asked for. */
export type Pace = {
  /** Whether the credits are nearly used up: then each price is asked for once, after its close. */
  readonly isShort: boolean;
  /** Between two requests for a price while its market trades, in ms. */
  readonly pauseMs: number;
  /** The same for one that is refused, or held for long, in ms. */
  readonly againMs: number;
};

/** The pace of a list that somebody looks at. */
export const lookersPace = (tradingPauseMs: number, isShort: boolean): Pace => ({
  ...{ isShort, pauseMs: tradingPauseMs, againMs: AGAIN_MS },
});

/** When a listing is due, as epoch ms: once its close was asked for, not before its market opens again. */
export const dueAt = (listing: ListingRow, clock: MarketClock, { isShort, pauseMs, againMs }: Pace): number => {
  const { askedAtMs, refused, pending } = listing;
  if (askedAtMs === 0) return 0;
  if (refused === "unknown" || refused === "plan") return askedAtMs + REFUSED_MS;
  if (refused !== null) return askedAtMs + againMs;
  const market = hoursMarket(listing);
  const now = clock(market);
  const isNew = pending !== null && isNewlyHeld(pending, askedAtMs);
  if (isNew || (pending !== null && now.isTrading)) return askedAtMs + (isNew ? AGAIN_MS : againMs);
  if (now.isTrading && !isShort) return askedAtMs + pauseMs;
  // Before this the source still reports the previous close. After it, one request is enough: on a holiday or without a trade there is no
  // other.
  const settledMs = closeOfDay(market, now.lastTradingDay) + SETTLED_MS;
  return askedAtMs >= settledMs ? Number.POSITIVE_INFINITY : Math.max(askedAtMs + pauseMs, settledMs);
};

const isNewlyHeld = (pending: string, askedAtMs: number): boolean =>
  askedAtMs - HeldPrice.parse(parseJson(pending)).sinceMs < NEWLY_HELD_MS;

/** The listings that are due: holdings first, then those with a target, and among these the ones that were not asked for longest. */
export const dueListings = (
  listings: readonly ListingRow[],
  clock: MarketClock,
  nowMs: number,
  paceOf: (listing: ListingRow) => Pace,
): ListingRow[] =>
  listings
    .filter((listing) => dueAt(listing, clock, paceOf(listing)) <= nowMs)
    .sort((one, other) => other.priority - one.priority || one.askedAtMs - other.askedAtMs);

/** The listings that lack a close which sources have by now, those without any close first. */
export const closesBehind = (listings: readonly ListingRow[], clock: MarketClock): ListingRow[] =>
  listings
    .filter(
      (listing) =>
        listing.refused === null && (listing.lastClose ?? "") < clock(hoursMarket(listing)).settledTradingDay,
    )
    .sort((one, other) => Number(one.lastClose !== null) - Number(other.lastClose !== null));

/** What a source says of its batches. */
type Batches = { readonly batch: number; readonly isBatchOfOneMarket: boolean; readonly namesCurrency: boolean };

/**
 * Credits that a listing's price may take. If only a search names its currency, a first price needs one, and also a look for splits if
 * shares were counted before.
 */
export const creditsFor = (
  { price, splitDay }: ListingRow,
  { namesCurrency }: Pick<Batches, "namesCurrency">,
): number => (price !== null || namesCurrency ? 1 : splitDay === null ? 2 : 3);

/**
 * The next batch: as many as the source takes at once and the budget allows, of one market where it wants that. A batch of several leaves
 * one credit, to look for a split if a price has jumped.
 */
export const nextBatch = (due: readonly ListingRow[], source: Batches, credits: number): ListingRow[] => {
  const [first] = due;
  if (first === undefined) return [];
  const same = source.isBatchOfOneMarket ? due.filter(({ mic }) => mic === first.mic) : due;
  let left = credits;
  const listings: ListingRow[] = [];
  for (const listing of same.slice(0, source.batch)) {
    left -= creditsFor(listing, source);
    if (left < (listings.length === 0 ? 0 : 1)) break;
    listings.push(listing);
  }
  return listings;
};
