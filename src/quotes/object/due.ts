/** Which listings are asked for next, and in which order. */
import type { ListingRow } from "../../db/prices/instruments.ts";
import type { MarketClock } from "../rules/market-clock.ts";
import { readMark } from "../rules/price-state.ts";

/** How soon a held price, or one that was refused for a passing reason, is asked for again, in ms. */
const AGAIN_MS = 10 * 60_000;

/** How often a listing that the source does not know, or the plan does not include, is asked for, in ms. */
const REFUSED_MS = 24 * 3_600_000;

/** How a key asks: with a budget that is nearly used up, once for each listing after its close. */
export type Pace = { readonly isShort: boolean; readonly tradingPauseMs: number };

/** When a listing is due, as epoch ms. */
export const dueAt = (listing: ListingRow, clock: MarketClock, { isShort, tradingPauseMs }: Pace): number => {
  const { askedAtMs, refused, pending, mark } = listing;
  if (askedAtMs === 0) return 0;
  if (refused === "unknown" || refused === "plan") return askedAtMs + REFUSED_MS;
  if (pending !== null || refused !== null) return askedAtMs + AGAIN_MS;
  const now = clock(listing.mic);
  const session = readMark(mark)?.session ?? "";
  const hasClose = session >= now.lastSession;
  if (now.isTrading && !isShort) return askedAtMs + tradingPauseMs;
  return hasClose ? Number.POSITIVE_INFINITY : askedAtMs + tradingPauseMs;
};

/** Those that are due, held ones first, then those with a target, then the longest not asked for. */
export const dueListings = (
  listings: readonly ListingRow[],
  clock: MarketClock,
  nowMs: number,
  pace: Pace,
): ListingRow[] =>
  listings
    .filter((listing) => dueAt(listing, clock, pace) <= nowMs)
    .sort((one, other) => other.priority - one.priority || one.askedAtMs - other.askedAtMs);

/** Those whose closes lack a session that has ended; without any comes first. */
export const closesBehind = (listings: readonly ListingRow[], clock: MarketClock): ListingRow[] =>
  listings
    .filter(({ lastClose, mic, refused }) => refused === null && (lastClose ?? "") < clock(mic).lastSession)
    .sort((one, other) => Number(one.lastClose !== null) - Number(other.lastClose !== null));

/** The next batch: as many as the source takes at once and the budget allows, of one market where it wants that. */
export const nextBatch = (
  due: readonly ListingRow[],
  { batch, isBatchOfOneMarket }: { readonly batch: number; readonly isBatchOfOneMarket: boolean },
  credits: number,
): ListingRow[] => {
  const [first] = due;
  if (first === undefined) return [];
  const same = isBatchOfOneMarket ? due.filter(({ mic }) => mic === first.mic) : due;
  return same.slice(0, Math.min(batch, credits));
};
