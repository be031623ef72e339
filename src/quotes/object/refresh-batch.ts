/** One batch of quotes: asked for, judged, and written in one transaction. */
import { parseJson } from "../../contract/parse-json.ts";
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import type { Split } from "../../contract/prices/price-fields.ts";
import type { Db } from "../../db/db.ts";
import { findCloses } from "../../db/prices/closes.ts";
import type { ListingRow } from "../../db/prices/instruments.ts";
import { type AskedListing, type FoundSplit, findSplits, saveQuotes } from "../../db/prices/quotes.ts";
import { acceptQuote, HeldPrice, type KnownPrice, mayFollowSplit } from "../rules/accept-quote.ts";
import { dayAt, marketMoment } from "../rules/market-clock.ts";
import { markOf, readMark } from "../rules/price-state.ts";
import type { Quote, QuoteResult, RefusalReason, Refused } from "../sources/quote-source.ts";
import { type Asker, askSource, isOfAll } from "./ask-source.ts";
import { catchUpCloses } from "./fetch-history.ts";
import { searchSource } from "./link-stocks.ts";
import { lookForSplits } from "./look-for-splits.ts";

/** A listing and what came of asking for it. */
export type Outcome = {
  readonly id: string;
  readonly result: "accepted" | "held" | { readonly refused: RefusalReason };
};

/** Why a whole answer was refused: when every listing was, for a reason that is not about listings. */
const refusalOfAll = (results: readonly QuoteResult[]): RefusalReason | null => {
  const [first] = results;
  if (first === undefined || !("refused" in first) || !isOfAll(first.refused)) return null;
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
  for (const [index, listing] of listings.entries()) {
    const result = results[index] ?? { refused: "bad" };
    judged.push(await judge(asker, db, listing, result, known.get(listing.id) ?? []));
  }
  await saveQuotes(
    db,
    judged.flatMap(({ asked }) => asked ?? []),
    judged.flatMap(({ splits }) => splits),
  );
  return judged.map(({ id, result }) => ({ id, result }));
};

/** `asked` is null if the listing does not count as asked for: it stays due. */
type Judged = Outcome & {
  readonly asked: AskedListing | null;
  readonly splits: readonly FoundSplit[];
};

const judge = async (
  asker: Asker,
  db: Db,
  listing: ListingRow,
  answered: QuoteResult,
  known: readonly Split[],
): Promise<Judged> => {
  const nowMs = asker.nowMs();
  const { id, splitDay } = listing;
  const refuse = (refused: RefusalReason): Judged => ({
    asked: { id, askedAtMs: nowMs, refused, quote: null },
    ...{ id, splits: [], result: { refused } },
  });
  if ("refused" in answered) return refuse(answered.refused);
  if ("untraded" in answered && listing.price !== null) return keepPrice(listing, answered.untraded.lastClose, nowMs);
  const stated = "untraded" in answered ? await lastClose(asker, db, listing) : answered;
  if (stated === undefined) {
    // Without an answer about its closes it stays due.
    if (asker.closesPace.isDue(id)) return { id, asked: null, splits: [], result: { refused: "down" } };
    return { ...unchanged(listing, nowMs), splits: [] };
  }
  const quote = await withCurrency(asker, listing, stated);
  if ("refused" in quote) return refuse(quote.refused);
  const before = knownPrice(listing, known);
  let verdict = acceptQuote(before, quote, nowMs);
  let splits: readonly Split[] = [];
  // Splits are looked for once for each held price, because it costs a credit, and again before a price is believed, because sources list
  // splits hours late. They are also looked for before a listing's first price, if shares of a stock with a price were counted before.
  const isNewlyHeld = verdict.verdict === "held" && verdict.pending !== before.pending;
  const isFirst = listing.price === null && splitDay !== null && splitDay < dayAt(hoursMarket(listing), nowMs);
  if (isNewlyHeld || (verdict.verdict === "accepted" && (isFirst || mayFollowSplit(before, quote)))) {
    const looked = await lookForSplits(asker, db, listing, before, quote);
    // If it is not known whether a split explains the price, it is neither believed nor held, and is asked for again.
    if ("refused" in looked) return { id, asked: null, splits: [], result: looked };
    splits = looked;
    // Splits before the first price do not explain a jump from the close before that price.
    if (splits.length > 0 && !isFirst)
      verdict = acceptQuote({ ...before, splits: [...before.splits, ...splits] }, quote, nowMs);
  }
  const found = splits.map((split) => ({ ...split, instrumentId: id }));
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
        ...{ id, askedAtMs: nowMs, refused: null },
        quote: { price, previousClose, asOf, mark: JSON.stringify(mark), pending },
      },
      ...{ id, splits: found, result: "held" },
    };
  }
  const { price, previousClose, asOfMs } = verdict.quote;
  const mark = JSON.stringify(markOf(verdict.quote, nowMs, false, momentAt));
  const stored = { price, previousClose, asOf: new Date(asOfMs).toISOString(), mark, pending: null };
  return {
    asked: { id, askedAtMs: nowMs, refused: null, quote: stored },
    ...{ id, splits: found, result: "accepted" },
  };
};

/** Keeps the price of a listing without a trade today. If that is the source's last close, no newer one exists: it is today's close too. */
const keepPrice = (listing: ListingRow, lastClose: string, nowMs: number): Judged => {
  const { id, price, previousClose, asOf, pending } = listing;
  if (lastClose !== price || pending !== null) return { ...unchanged(listing, nowMs), splits: [] };
  const asOfKind = readMark(listing.mark)?.kind ?? "trade";
  const momentAt = (ms: number) => marketMoment(hoursMarket(listing), ms);
  const mark = JSON.stringify(markOf({ ...NO_QUOTE, asOfKind }, nowMs, false, momentAt));
  const quote = { price, previousClose, asOf, mark, pending };
  return { id, asked: { id, askedAtMs: nowMs, refused: null, quote }, splits: [], result: "accepted" };
};

/** The last close of a listing without a price, which may have none for hours. Its closes are fetched for that. */
const lastClose = async (asker: Asker, db: Db, listing: ListingRow): Promise<Quote | undefined> => {
  const { id, lastClose } = listing;
  if (lastClose === null) await catchUpCloses(asker, db, [listing]);
  const year = new Date(asker.nowMs()).getUTCFullYear() - 1;
  const [day, close] = (await findCloses(db, [id], year)).get(id)?.at(-1) ?? [];
  if (day === undefined || close === undefined) return undefined;
  return { price: close, previousClose: null, mic: null, currency: null, asOf: { day }, isMarketOpen: null };
};

/**
 * A source may name a listing's currency only in its search. That is asked before the first price is believed: with no earlier price to
 * compare it with, pence would be taken for pounds.
 */
const withCurrency = async (asker: Asker, listing: ListingRow, quote: Quote): Promise<Quote | Refused> => {
  if (quote.currency !== null || listing.price !== null) return quote;
  const found = await searchSource(asker, asker.key.source.listedSymbol(listing.symbol));
  if ("refused" in found) return found;
  const match = found.matches.find(({ symbol }) => symbol === listing.symbol);
  return match === undefined ? { refused: "unknown" } : { ...quote, currency: match.currency };
};

const NO_QUOTE = { asOfKind: "trade", isMarketOpen: null } as const;

/** Counts as accepted: the stored price is at least as new. Without one, the price is still to come. */
const unchanged = ({ id, price }: ListingRow, askedAtMs: number): Omit<Judged, "splits"> => ({
  asked: { id, askedAtMs, refused: null, quote: null },
  ...{ id, result: price === null ? "held" : "accepted" },
});

const knownPrice = (listing: ListingRow, splits: readonly Split[]): KnownPrice => {
  const { mic, currency, price, asOf, pending } = listing;
  const lastDay = asOf === null ? null : dayAt(hoursMarket(listing), Date.parse(asOf));
  return {
    ...{ mic, currency, price, asOfMs: asOf === null ? null : Date.parse(asOf) },
    pending: pending === null ? null : HeldPrice.parse(parseJson(pending)),
    splits: splits.filter(({ day }) => lastDay !== null && day > lastDay),
    splitsOfDay: splits.filter(({ day }) => day === lastDay),
  };
};
