/** Asks a source for splits: by its own list or, if it has none, by how its closes have shifted since they were stored. */
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import type { Split } from "../../contract/prices/price-fields.ts";
import type { Db } from "../../db/db.ts";
import { findCloses } from "../../db/prices/closes.ts";
import type { ListingRow } from "../../db/prices/instruments.ts";
import type { KnownPrice } from "../rules/accept-quote.ts";
import { dayAt } from "../rules/market-clock.ts";
import { shiftOf } from "../rules/split-of-closes.ts";
import type { InstrumentRef, Quote, QuoteSource, Refused } from "../sources/quote-source.ts";
import { type Asker, askSource, isOfAll } from "./ask-source.ts";

/**
 * Splits that may explain a jump or another large move. If there is a split, the stored closes count in old shares: they are dropped when
 * the split is stored, and fetched again at the next look. A refusal is never about the listing: it is then not known whether there is a
 * split.
 */
export const lookForSplits = async (
  asker: Asker,
  db: Db,
  listing: ListingRow,
  { asOfMs }: KnownPrice,
  quote: Quote,
): Promise<readonly Split[] | Refused> => {
  const market = hoursMarket(listing);
  const today = "atMs" in quote.asOf ? dayAt(market, quote.asOf.atMs) : quote.asOf.day;
  const since = asOfMs === null ? (listing.splitDay ?? today) : dayAt(market, asOfMs);
  const { splits } = asker.key.source;
  const looked =
    splits === undefined
      ? await splitByCloses(asker, db, listing, today)
      : await listedSplits(asker, splits, listing, since);
  if ("refused" in looked) return isOfAll(looked.refused) ? looked : [];
  // Splits up to `since` are already in the last price, or in the shares of all stocks. Splits after today are not in any price yet.
  const found = splits === undefined ? looked : looked.filter(({ day }) => day > since && day <= today);
  if (found.length > 0) asker.closesPace.forget(listing.id);
  return found;
};

/** The source's own list of a listing's splits from a day on. */
export const listedSplits = async (
  asker: Asker,
  splits: NonNullable<QuoteSource["splits"]>,
  listing: InstrumentRef,
  from: string,
): Promise<readonly Split[] | Refused> => {
  const asked = await askSource(
    asker,
    splits.request(listing, from, asker.key.access),
    1,
    (answer) => splits.read(answer),
    (read) => ("refused" in read && isOfAll(read.refused) ? read.refused : null),
  );
  return "refused" in asked ? asked : asked.read;
};

const splitByCloses = async (
  asker: Asker,
  db: Db,
  listing: ListingRow,
  today: string,
): Promise<readonly Split[] | Refused> => {
  const { source, access } = asker.key;
  const stored = (await findCloses(db, [listing.id], Number(today.slice(0, 4)) - 1)).get(listing.id) ?? [];
  const [from] = stored.slice(-30);
  if (from === undefined) return [];
  const asked = await askSource(
    asker,
    source.historyRequest(listing, from[0], access),
    1,
    (answer) => source.readHistory(listing, answer),
    (read) => ("refused" in read && isOfAll(read.refused) ? read.refused : null),
  );
  if ("refused" in asked) return asked;
  if ("refused" in asked.read) return asked.read;
  const shift = shiftOf(
    stored,
    asked.read.bars.map(({ day, close }) => [day, close]),
    listing.currency,
  );
  return shift === undefined ? [] : [{ day: today, ...shift }];
};
