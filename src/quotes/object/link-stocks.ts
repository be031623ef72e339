/** Finds the listings of an owner's stocks that take prices and have none. */
import type { OwnerEmail } from "../../contract/ids.ts";
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import { withoutSuffix } from "../../contract/prices/symbol-suffixes.ts";
import type { Db } from "../../db/db.ts";
import {
  linkStocks,
  listingId,
  type NewListing,
  saveListings,
  type UnlinkedStock,
  unlinkedStocks,
} from "../../db/prices/instruments.ts";
import { dayAt } from "../rules/market-clock.ts";
import { marketOf } from "../rules/markets.ts";
import type { ListedMatch, RefusalReason } from "../sources/quote-source.ts";
import { type Asker, askSource } from "./ask-source.ts";

/** Searches for stocks without a market, in one go: each costs a credit. */
const MAX_SEARCHES = 5;

/** What was searched for and not found once; the person chooses the market. */
export type SearchedBefore = { has(key: string): boolean; add(key: string): void };

/** Links what can be linked. A stock without a market is linked when a single listing of its symbol has its currency. */
export const linkUnlinked = async (
  asker: Asker,
  db: Db,
  owner: OwnerEmail,
  searched: SearchedBefore,
): Promise<void> => {
  const stocks = await unlinkedStocks(db, owner);
  const links = [];
  let searches = 0;
  for (const stock of stocks) {
    const isSearch = stock.exchange === null;
    const key = `${stock.symbol} ${stock.currency}`;
    if (isSearch && (searches >= MAX_SEARCHES || searched.has(key))) continue;
    if (isSearch) searches += 1;
    const listing = isSearch ? await searchListing(asker, stock) : listingOf(asker, stock);
    if (listing === "unanswered") continue;
    if (listing === undefined) searched.add(key);
    else links.push({ stock, listing });
  }
  await writeLinks(asker, db, owner, links);
};

const writeLinks = async (
  { nowMs }: Asker,
  db: Db,
  owner: OwnerEmail,
  links: readonly { readonly stock: UnlinkedStock; readonly listing: NewListing }[],
): Promise<void> => {
  if (links.length === 0) return;
  const listings = await Promise.all(links.map(async ({ listing }) => ({ ...listing, id: await listingId(listing) })));
  await saveListings(db, listings);
  await linkStocks(
    db,
    owner,
    links.flatMap(({ stock }, place) => {
      const listing = listings[place];
      if (listing === undefined) return [];
      const { source, symbol, mic: exchange, name } = listing;
      const instrument = JSON.stringify({ source, symbol, exchange, name });
      return [{ stock, instrumentId: listing.id, instrument, day: dayAt(hoursMarket(listing), nowMs()) }];
    }),
  );
};

/** By the market that the person named. */
const listingOf = ({ key: { source, scope } }: Asker, stock: UnlinkedStock): NewListing | undefined => {
  const mic = stock.exchange === null ? null : marketOf(stock.exchange);
  const symbol = mic === null ? undefined : source.symbolOf(withoutSuffix(stock.symbol, mic), mic);
  if (symbol === undefined) return undefined;
  return { scope, source: source.id, symbol, mic, currency: stock.currency, name: stock.name };
};

const searchListing = async (asker: Asker, stock: UnlinkedStock): Promise<NewListing | undefined | "unanswered"> => {
  const matches = await searchSource(asker, stock.symbol);
  if ("refused" in matches) return "unanswered";
  const { scope, source } = asker.key;
  // In the source's own notation: a share class is written with a dot by some, with a hyphen by others.
  const [match, ...others] = matches.matches.filter(
    ({ symbol, mic, currency }) => symbol === source.symbolOf(stock.symbol, mic) && currency === stock.currency,
  );
  if (match === undefined || others.length > 0) return undefined;
  return { scope, source: source.id, symbol: match.symbol, mic: match.mic, currency: stock.currency, name: match.name };
};

/** Asks the source. One credit. */
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
  return { matches: asked.read.map((match) => ({ ...match, listed: source.listedSymbol(match.symbol) })) };
};
