/** Finds the listings of an owner's stocks that take prices and have none. */
import type { OwnerEmail } from "../../contract/ids.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { visibleLine } from "../../contract/plain-text.ts";
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import { Instrument } from "../../contract/prices/price-fields.ts";
import { guessBySuffix, withoutSuffix } from "../../contract/prices/symbol-suffixes.ts";
import type { Db } from "../../db/db.ts";
import {
  linkStocks,
  listingId,
  type NewListing,
  type StockLink,
  saveListings,
  type UnlinkedFrom,
  type UnlinkedStock,
  unlinkedStocks,
} from "../../db/prices/instruments.ts";
import { dayAt } from "../rules/market-clock.ts";
import { marketOf } from "../rules/markets.ts";
import type { ListedMatch, RefusalReason } from "../sources/quote-source.ts";
import { type Asker, askSource } from "./ask-source.ts";

/** Most searches for stocks without a market in one pass. Each costs a credit. */
const MAX_SEARCHES = 5;

/** Most characters of a listing's name: as many as of a stock's. */
const MAX_NAME = 120;

/** What earlier passes have found, and where they stopped. */
export type LinkedBefore = {
  /** Whether a stock was searched for before and not found. It is not searched for again: the person chooses the market. */
  isNotFound(key: string): boolean;
  addNotFound(key: string): void;
  /** Where the next pass begins. */
  from(): UnlinkedFrom | undefined;
  goOnFrom(next: UnlinkedFrom | undefined): void;
};

/**
 * Links what can be linked. A stock without a market is linked when a single listing of its symbol has its currency, in the market that
 * the symbol ends in, if any. A stock that is linked to a listing of another key keeps that listing if the source is the same; another
 * source knows it by another name. Returns the ids of the stocks that no listing is found for.
 */
export const linkUnlinked = async (
  asker: Asker,
  db: Db,
  owner: OwnerEmail,
  before: LinkedBefore,
): Promise<ReadonlySet<string>> => {
  const { scope, source } = asker.key;
  const links: StockLink[] = [];
  const listings: (NewListing & { readonly id: string })[] = [];
  const notFound = new Set<string>();
  let searches = 0;
  const { stocks, next } = await unlinkedStocks(db, owner, { scope, source: source.id, from: before.from() });
  for (const stock of stocks) {
    const key = `${source.searchWords(stock.symbol)} ${stock.currency}`;
    let found: Found = sameListing(asker, stock) ?? listingOf(asker, stock);
    if (found === "to search for" && !before.isNotFound(key)) {
      if (searches >= MAX_SEARCHES) continue;
      searches += 1;
      found = await searchListing(asker, stock);
      if (found === undefined) before.addNotFound(key);
    }
    if (found === "unanswered") continue;
    if (typeof found === "object") {
      const listing = { ...found, id: await listingId(found) };
      listings.push(listing);
      links.push(linkTo(asker, stock, listing));
    } else {
      notFound.add(stock.id);
      if (stock.instrumentId !== null) links.push({ stock, instrumentId: null, instrument: null, day: null });
    }
  }
  if (listings.length > 0) await saveListings(db, listings);
  if (links.length > 0) await linkStocks(db, owner, links);
  before.goOnFrom(next);
  return notFound;
};

/** What is found for a stock: undefined when there is no such listing. */
type Found = NewListing | undefined | "unanswered" | "to search for";

const linkTo = ({ nowMs }: Asker, stock: UnlinkedStock, listing: NewListing & { readonly id: string }): StockLink => {
  const { id: instrumentId, source, symbol, mic: exchange, name } = listing;
  const instrument = JSON.stringify({ source, symbol, exchange, name });
  // If it was linked before, it is known which splits its quantity includes.
  const day = stock.instrumentId === null ? dayAt(hoursMarket(listing), nowMs()) : null;
  return { stock, instrumentId, instrument, day };
};

/** The listing that a stock was linked to with another key of the same source. */
const sameListing = ({ key: { source, scope } }: Asker, stock: UnlinkedStock): NewListing | undefined => {
  const linked = stock.instrument === null ? undefined : Instrument.parse(parseJson(stock.instrument));
  if (stock.instrumentId === null || linked?.source !== source.id) return undefined;
  const { symbol, exchange: mic, name } = linked;
  return { scope, source: source.id, symbol, mic, currency: stock.currency, name };
};

/** By the market that the person named or, if that usually trades in the stock's currency, by the market that the symbol ends in. */
const listingOf = (
  { key: { source, scope } }: Asker,
  stock: UnlinkedStock,
): NewListing | undefined | "to search for" => {
  const guess = guessBySuffix(stock.symbol);
  const market = stock.exchange ?? (guess?.currency === stock.currency ? guess.exchange : null);
  if (market === null) return "to search for";
  const mic = marketOf(market);
  const symbol = source.symbolOf(withoutSuffix(stock.symbol, mic), mic);
  if (symbol === undefined) return undefined;
  return { scope, source: source.id, symbol, mic, currency: stock.currency, name: stock.name };
};

const searchListing = async (asker: Asker, stock: UnlinkedStock): Promise<NewListing | undefined | "unanswered"> => {
  const market = guessBySuffix(stock.symbol)?.exchange;
  const wanted = withoutSuffix(stock.symbol);
  const matches = await searchSource(asker, wanted);
  if ("refused" in matches) return isOfSymbol(matches.refused) ? undefined : "unanswered";
  const { scope, source } = asker.key;
  // In the source's own notation: a share class is written with a dot by some, with a hyphen by others.
  const [match, ...others] = matches.matches.filter(
    ({ symbol, mic, currency }) =>
      symbol === source.symbolOf(wanted, mic) && currency === stock.currency && (market ?? mic) === mic,
  );
  if (match === undefined || others.length > 0) return undefined;
  return { scope, source: source.id, symbol: match.symbol, mic: match.mic, currency: stock.currency, name: match.name };
};

/** Whether a search was refused because of its words. It would be refused the next time too, and others would wait for it each time. */
const isOfSymbol = (reason: RefusalReason): boolean => reason === "unknown" || reason === "plan";

/** Searches the source for one credit. Makes each name a line of visible text, because people, lists and the agent read it. */
export const searchSource = async (
  asker: Asker,
  q: string,
): Promise<{ matches: ListedMatch[] } | { refused: RefusalReason }> => {
  const { source, access } = asker.key;
  const asked = await askSource(
    asker,
    source.searchRequest(q, access),
    1,
    (answer) => source.readMatches(answer),
    (read) => ("refused" in read ? read.refused : null),
  );
  if ("refused" in asked) return asked;
  if ("refused" in asked.read) return asked.read;
  return {
    matches: asked.read.map((match) => {
      const listed = source.listedSymbol(match.symbol);
      return { ...match, listed, name: visibleLine(match.name, MAX_NAME) || listed };
    }),
  };
};
