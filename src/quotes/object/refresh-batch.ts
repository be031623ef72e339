/** One batch of quotes: asked for, judged, and written in one transaction. */
import { parseJson } from "../../contract/parse-json.ts";
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import type { Split } from "../../contract/prices/price-fields.ts";
import type { Db } from "../../db/db.ts";
import { dropCloses, findCloses } from "../../db/prices/closes.ts";
import type { ListingRow } from "../../db/prices/instruments.ts";
import { type AskedListing, type FoundSplit, findSplits, saveQuotes } from "../../db/prices/quotes.ts";
import { acceptQuote, HeldPrice, type KnownPrice, mayFollowSplit } from "../rules/accept-quote.ts";
import { dayAt, marketMoment } from "../rules/market-clock.ts";
import { markOf, readMark } from "../rules/price-state.ts";
import { shiftOf } from "../rules/split-of-closes.ts";
import type { Quote, QuoteResult, RefusalReason } from "../sources/quote-source.ts";
import { type Asker, askSource } from "./ask-source.ts";
import { searchSource } from "./link-stocks.ts";

/** A listing and what came of asking for it. */
export type Outcome = {
  readonly id: string;
  readonly result: "accepted" | "held" | { readonly refused: RefusalReason };
};

/** Reasons that are about the key or the source and not about a listing. */
const OF_ALL: readonly RefusalReason[] = ["auth", "budget", "down"];

/** Why a whole answer was refused: when every listing was, for a reason that is not about listings. */
const refusalOfAll = (results: readonly QuoteResult[]): RefusalReason | null => {
  const [first] = results;
  if (first === undefined || !("refused" in first) || !OF_ALL.includes(first.refused)) return null;
  return results.every((result) => "refused" in result && result.refused === first.refused) ? first.refused : null;
};

/** Asks for the listings' prices and stores those that are believed. Returns an outcome for each listing, in order. */
export const refreshBatch = async (asker: Asker, db: Db, listings: readonly ListingRow[]): Promise<Outcome[]> => {
  const { source, access } = asker.key;
  const request = source.quotesRequest(listings, access);
  const answered = await askSource(
    asker,
    request,
    listings.length,
    (answer) => source.readQuotes(listings, answer),
    refusalOfAll,
  );
  if ("refused" in answered) return listings.map(({ id }) => ({ id, result: answered }));
  const { read: results } = answered;
  const known = await findSplits(
    db,
    listings.map(({ id }) => id),
  );
  const judged: Judged[] = [];
  for (const [place, listing] of listings.entries()) {
    const result = results[place] ?? { refused: "bad" };
    judged.push(await judge(asker, db, listing, result, known.get(listing.id) ?? []));
  }
  await saveQuotes(
    db,
    judged.map(({ asked }) => asked),
    judged.flatMap(({ splits }) => splits),
  );
  return judged.map(({ asked, result }) => ({ id: asked.id, result }));
};

type Judged = {
  readonly asked: AskedListing;
  readonly splits: readonly FoundSplit[];
  readonly result: Outcome["result"];
};

const judge = async (
  asker: Asker,
  db: Db,
  listing: ListingRow,
  answered: QuoteResult,
  known: readonly Split[],
): Promise<Judged> => {
  const nowMs = asker.nowMs();
  const refuse = (refused: RefusalReason): Judged => ({
    asked: { id: listing.id, askedAtMs: nowMs, refused, quote: null },
    ...{ splits: [], result: { refused } },
  });
  if ("refused" in answered) return refuse(answered.refused);
  const quote = await withCurrency(asker, listing, answered);
  if ("refused" in quote) return refuse(quote.refused);
  const before = knownPrice(listing, known);
  let verdict = acceptQuote(before, quote, nowMs);
  let splits: readonly Split[] = [];
  // Once for each price that is held, because it costs a credit, and before it is believed: sources list splits hours late.
  const isNewlyHeld = verdict.verdict === "held" && verdict.pending !== before.pending;
  if (isNewlyHeld || (verdict.verdict === "accepted" && mayFollowSplit(before, quote))) {
    splits = await findNewSplits(asker, db, listing, before, quote);
    if (splits.length > 0) verdict = acceptQuote({ ...before, splits: [...before.splits, ...splits] }, quote, nowMs);
  }
  const found = splits.map((split) => ({ ...split, instrumentId: listing.id }));
  if (verdict.verdict === "refused") {
    // A quote older than the stored price is no failure: the stored one stays, and counts as asked for.
    if (verdict.because === "old") return { ...unchanged(listing, nowMs), splits: found };
    return refuse("bad");
  }
  const momentAt = (ms: number) => marketMoment(hoursMarket(listing), ms);
  if (verdict.verdict === "held") {
    const mark = { ...(readMark(listing.mark) ?? markOf(NO_QUOTE, 0, true, momentAt)), isHeld: true };
    const { price, previousClose, asOf } = listing;
    const pending = JSON.stringify(verdict.pending);
    return {
      asked: {
        ...{ id: listing.id, askedAtMs: nowMs, refused: null },
        quote: { price, previousClose, asOf, mark: JSON.stringify(mark), pending },
      },
      ...{ splits: found, result: "held" },
    };
  }
  const { price, previousClose, asOfMs } = verdict.quote;
  const mark = JSON.stringify(markOf(verdict.quote, nowMs, false, momentAt));
  const stored = { price, previousClose, asOf: new Date(asOfMs).toISOString(), mark, pending: null };
  return {
    asked: { id: listing.id, askedAtMs: nowMs, refused: null, quote: stored },
    ...{ splits: found, result: "accepted" },
  };
};

/**
 * A source may name a listing's currency only in its search. That is asked before the first price is believed: with no earlier price to
 * compare it with, pence would be taken for pounds.
 */
const withCurrency = async (asker: Asker, listing: ListingRow, quote: Quote): Promise<QuoteResult> => {
  if (quote.currency !== null || listing.price !== null) return quote;
  const found = await searchSource(asker, asker.key.source.listedSymbol(listing.symbol));
  if ("refused" in found) return found;
  const match = found.matches.find(({ symbol }) => symbol === listing.symbol);
  return match === undefined ? { refused: "unknown" } : { ...quote, currency: match.currency };
};

const NO_QUOTE = { asOfKind: "trade", isMarketOpen: null } as const;

/** Counts as accepted: the stored price is at least as new. */
const unchanged = ({ id }: ListingRow, askedAtMs: number): Omit<Judged, "splits"> => ({
  asked: { id, askedAtMs, refused: null, quote: null },
  result: "accepted",
});

const knownPrice = (listing: ListingRow, splits: readonly Split[]): KnownPrice => {
  const { mic, currency, price, asOf, pending } = listing;
  const market = hoursMarket(listing);
  return {
    ...{ mic, currency, price, asOfMs: asOf === null ? null : Date.parse(asOf) },
    pending: pending === null ? null : HeldPrice.parse(parseJson(pending)),
    splits: asOf === null ? [] : splits.filter(({ day }) => day > dayAt(market, Date.parse(asOf))),
  };
};

/**
 * Splits that may explain a jump or another large move: from the source's own list or, if it has none, from how its closes have shifted
 * since they were stored. If there is one, the stored closes count in old shares and are dropped; they are fetched again when somebody next
 * looks.
 */
const findNewSplits = async (
  asker: Asker,
  db: Db,
  listing: ListingRow,
  { asOfMs }: KnownPrice,
  quote: Quote,
): Promise<Split[]> => {
  const { source, access } = asker.key;
  const market = hoursMarket(listing);
  const today = "atMs" in quote.asOf ? dayAt(market, quote.asOf.atMs) : quote.asOf.day;
  const since = asOfMs === null ? today : dayAt(market, asOfMs);
  const splits = source.splits;
  if (splits !== undefined) {
    const asked = await askSource(
      asker,
      splits.request(listing, since, access),
      1,
      (answer) => splits.read(answer),
      () => null,
    );
    const found = "refused" in asked ? [] : asked.read.filter(({ day }) => day > since && day <= today);
    if (found.length > 0) await dropCloses(db, listing.id);
    return found;
  }
  const stored = (await findCloses(db, [listing.id], Number(today.slice(0, 4)) - 1)).get(listing.id) ?? [];
  const [from] = stored.slice(-30);
  if (from === undefined) return [];
  const asked = await askSource(
    asker,
    source.historyRequest(listing, from[0], access),
    1,
    (answer) => source.readHistory(listing, answer),
    () => null,
  );
  if ("refused" in asked || "refused" in asked.read) return [];
  const shift = shiftOf(
    stored,
    asked.read.bars.map(({ day, close }) => [day, close]),
  );
  if (shift === undefined) return [];
  await dropCloses(db, listing.id);
  return [{ day: today, ...shift }];
};
