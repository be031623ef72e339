/** Listings of a scope, their quotes, closes and splits: what the object of a key reads and writes. */
import { sha256Hex } from "../../contract/digest.ts";
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { deleteSome } from "../deletion/delete-some.ts";
import { type AccountDeletion, isOpenDeletion } from "../deletion/open-deletion.ts";
import { IS_SPLIT } from "./copy-prices.ts";

/** A listing that one of an owner's stocks is linked to, with what is known of its price. */
export type ListingRow = {
  readonly id: string;
  readonly source: string;
  readonly symbol: string;
  readonly mic: string | null;
  readonly currency: string;
  readonly askedAtMs: number;
  readonly refused: string | null;
  readonly price: string | null;
  readonly asOf: string | null;
  readonly previousClose: string | null;
  readonly mark: string | null;
  readonly pending: string | null;
  /** 2: in a holding. 1: with a target. 0: neither. */
  readonly priority: number;
  /** The day of the newest stored close; null without any. */
  readonly lastClose: string | null;
  /** The earliest day on which shares of one of the stocks were counted, of those with a price; null if none has one. */
  readonly splitDay: string | null;
};

/** Columns of a listing `i`, its quote `q` and stocks `s` that take prices from it, grouped by listing. */
export const LISTING = `
  i.id, i.source, i.symbol, i.mic, i.currency, i.asked_at_ms AS "askedAtMs", i.refused, q.price, q.as_of AS "asOf",
    q.previous_close AS "previousClose", q.mark, q.pending,
    max(CASE WHEN s.status = 'holding' THEN 2 WHEN s.target_low IS NOT NULL OR s.target_high IS NOT NULL THEN 1 ELSE 0 END)
      AS "priority",
    (SELECT closes->>'$[#-1][0]' FROM closes WHERE closes.instrument_id = i.id ORDER BY year DESC LIMIT 1) AS "lastClose",
    min(s.split_day) FILTER (WHERE s.last_price IS NOT NULL) AS "splitDay"`;

const LISTINGS = `
  SELECT ${LISTING}
  FROM stocks AS s JOIN instruments AS i ON i.id = s.instrument_id LEFT JOIN quotes AS q ON q.instrument_id = i.id
  WHERE s.owner_email = ?1 AND s.instrument_id IS NOT NULL AND s.deleted_at IS NULL AND s.auto_price = 1
    AND i.scope = ?2 AND i.source = ?3
  GROUP BY i.id`;

/** The listings that the owner's live stocks take prices from. */
export const ownersListings = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  scope: string,
  source: string,
): Promise<ListingRow[]> => (await d1.prepare(LISTINGS).bind(owner, scope, source).all<ListingRow>()).results;

/** A listing to make. */
export type NewListing = {
  readonly scope: string;
  readonly source: string;
  readonly symbol: string;
  readonly mic: string | null;
  readonly currency: string;
  readonly name: string;
};

/** Digits of a listing's id: half of a SHA-256. */
const ID_DIGITS = 32;

/** The id of a listing: one for each scope, market and currency. In another currency it is another listing. */
export const listingId = async ({ scope, source, symbol, mic, currency }: Omit<NewListing, "name">): Promise<string> =>
  (await sha256Hex(JSON.stringify([scope, source, symbol, mic, currency]))).slice(0, ID_DIGITS);

/** Makes listings that are not there yet. */
export const saveListings = async (
  { $client: d1 }: Db,
  listings: readonly (NewListing & { readonly id: string })[],
): Promise<void> => {
  await d1
    .prepare(
      `INSERT OR IGNORE INTO instruments (id, scope, source, symbol, mic, currency, name, asked_at_ms)
       SELECT value->>'id', value->>'scope', value->>'source', value->>'symbol', value->>'mic', value->>'currency',
         value->>'name', 0 FROM json_each(?)`,
    )
    .bind(JSON.stringify(listings))
    .run();
};

/** A stock of an owner that takes prices, and is not linked to a listing of the key that is used. */
export type UnlinkedStock = {
  readonly id: string;
  readonly symbol: string;
  readonly exchange: string | null;
  readonly currency: string;
  readonly name: string;
  /** The listing of another scope or source that it is linked to, if any, and that listing as JSON. */
  readonly instrumentId: string | null;
  readonly instrument: string | null;
};

/** Most stocks that one pass looks at; the rest follows with the next wake. */
const MAX_UNLINKED = 500;

/** Where the next pass begins: after a stock, in their order. */
export type UnlinkedFrom = readonly [isWithoutMarket: number, isNotHeld: number, id: string];

/** Before the first stock. */
const FIRST: UnlinkedFrom = [0, 0, ""];

/**
 * The owner's live stocks that take prices and have no listing of this scope and source: new ones, and those that were linked with another
 * key or under another licence. Leaves out stocks with a split that waits, even one that only the next list will show: it belongs to the
 * listing that told of it, and is answered first. `next` is undefined once no stocks are left. Many may never get a listing, so each pass
 * looks at those after the last one.
 */
export const unlinkedStocks = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  {
    scope,
    source,
    from = FIRST,
  }: { readonly scope: string; readonly source: string; readonly from?: UnlinkedFrom | undefined },
): Promise<{ readonly stocks: readonly UnlinkedStock[]; readonly next: UnlinkedFrom | undefined }> => {
  // Those that need a search come last: there may be many that nothing is found for.
  // CASE, because otherwise splits would be looked up for the linked stocks too.
  const statement = d1.prepare(
    `SELECT s.id, s.symbol, s.exchange, s.currency, s.name, s.instrument_id AS "instrumentId", s.instrument,
       s.exchange IS NULL AS "isWithoutMarket", s.status <> 'holding' AS "isNotHeld"
     FROM stocks AS s LEFT JOIN instruments AS i ON i.id = s.instrument_id AND i.scope = ?2 AND i.source = ?3
     WHERE s.owner_email = ?1 AND s.deleted_at IS NULL AND s.auto_price = 1 AND s.pending_split IS NULL AND CASE WHEN i.id IS NULL THEN
       NOT (${IS_SPLIT} AND EXISTS (SELECT 1 FROM quotes WHERE quotes.instrument_id = s.instrument_id)) END
       AND (s.exchange IS NULL, s.status <> 'holding', s.id) > (?4, ?5, ?6)
     ORDER BY s.exchange IS NULL, s.status <> 'holding', s.id LIMIT ${MAX_UNLINKED + 1}`,
  );
  const { results } = await statement
    .bind(owner, scope, source, ...from)
    .all<UnlinkedStock & { readonly isWithoutMarket: number; readonly isNotHeld: number }>();
  const stocks = results.slice(0, MAX_UNLINKED);
  const last = results.length > MAX_UNLINKED ? stocks.at(-1) : undefined;
  return { stocks, next: last && [last.isWithoutMarket, last.isNotHeld, last.id] };
};

/** A stock and the listing it is to take its prices from; nulls unlink it. */
export type StockLink = {
  readonly stock: UnlinkedStock;
  readonly instrumentId: string | null;
  readonly instrument: string | null;
  /** Splits count from this day on, unless a day is known already. */
  readonly day: string | null;
};

/** Links stocks that still are what they were when they were read. They get no new version, because nobody has changed them. */
export const linkStocks = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  links: readonly StockLink[],
): Promise<void> => {
  await d1
    .prepare(
      `UPDATE stocks SET instrument_id = next.value->>'instrumentId', instrument = next.value->>'instrument',
         split_day = coalesce(stocks.split_day, next.value->>'day')
       FROM json_each(?1) AS next
       WHERE stocks.id = next.value->>'$.stock.id' AND +stocks.owner_email = ?2
         AND stocks.instrument_id IS next.value->>'$.stock.instrumentId' AND stocks.pending_split IS NULL
         AND stocks.symbol = next.value->>'$.stock.symbol' AND stocks.currency = next.value->>'$.stock.currency'
         AND stocks.exchange IS next.value->>'$.stock.exchange'`,
    )
    .bind(JSON.stringify(links), owner)
    .run();
};

/**
 * Removes some listings of a scope with their quotes and splits, once all of their closes are removed. Removes nothing once the deletion of
 * the scope's account is over. True once nothing is left to remove.
 */
export const removeSomeOfScope = async (
  db: Db,
  scope: string,
  { ownerEmail, requestedAtMs }: AccountDeletion,
): Promise<boolean> => {
  const which = `instruments.scope = ?1 AND ${isOpenDeletion("?2", "?3")}`;
  const values = [scope, ownerEmail, requestedAtMs];
  const closes = "instruments CROSS JOIN closes ON closes.instrument_id = instruments.id";
  const { meta } = await deleteSome(db, "closes", which, values, closes).run();
  if (meta.changes > 0) return false;
  return (await deleteSome(db, "instruments", which, values).run()).meta.changes === 0;
};
