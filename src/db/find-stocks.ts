/** Finds single stocks and their history. The owner is in every `where`, so another person's stock does not exist. */
import { and, asc, count, desc, eq, getTableColumns, gt, gte, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { OwnerEmail, RunId, StockId } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { type StockEventRow, type StockRow, stockEvents, stocks } from "./stock-tables.ts";

/** The owner's stock, live or in the trash. */
export const findStock = (db: Db, owner: OwnerEmail, id: StockId): Promise<StockRow | undefined> =>
  db
    .select()
    .from(stocks)
    .where(and(eq(stocks.ownerEmail, owner), eq(stocks.id, id)))
    .get();

/** The owner's stocks with these ids, live or in the trash, in no particular order. */
export const findStocks = (db: Db, owner: OwnerEmail, ids: readonly StockId[]): Promise<StockRow[]> =>
  db
    .select()
    .from(stocks)
    // The `+` keeps SQLite from reading the owner's whole list by its index instead of these rows by their ids.
    .where(and(sql`+${stocks.ownerEmail} = ${owner}`, inArray(stocks.id, valuesOfList(ids))))
    .all();

const isListed = (owner: OwnerEmail, symbol: string, exchange?: string | null): SQL | undefined =>
  and(
    eq(stocks.ownerEmail, owner),
    eq(stocks.symbol, symbol),
    isNull(stocks.deletedAt),
    exchange === undefined ? undefined : sql`${stocks.exchange} IS ${exchange}`,
  );

/**
 * The owner's live stocks of a symbol, at most two: if there are several, all of them can be more than D1 answers. With an `exchange`, only
 * the one listed there; null means the one without an exchange.
 */
export const findListings = (
  db: Db,
  owner: OwnerEmail,
  symbol: string,
  exchange: string | null | undefined,
): Promise<StockRow[]> =>
  db
    .select()
    .from(stocks)
    .where(isListed(owner, symbol, exchange))
    .limit(2)
    .all();

/** Where the owner's live stocks of a symbol are listed, in order, the one without an exchange first. */
export const findExchanges = (
  db: Db,
  owner: OwnerEmail,
  symbol: string,
  limit: number,
): Promise<{ exchange: string | null }[]> =>
  db
    .select({ exchange: stocks.exchange })
    .from(stocks)
    .where(isListed(owner, symbol))
    .orderBy(stocks.exchange)
    .limit(limit)
    .all();

/** Most stocks that are compared with a search's matches. Only a script makes more with the same symbols. */
const MAX_COMPARED = 1_000;

/** The owner's live stocks with these symbols, as a search shows them, in no particular order. */
export const findMatches = (db: Db, owner: OwnerEmail, symbols: readonly string[]) => {
  const { id, symbol, exchange, name, assetType, currency, isin, instrument } = stocks;
  return db
    .select({ id, symbol, exchange, name, assetType, currency, isin, instrument })
    .from(stocks)
    .where(and(eq(stocks.ownerEmail, owner), inArray(symbol, valuesOfList(symbols)), isNull(stocks.deletedAt)))
    .limit(MAX_COMPARED)
    .all();
};

/** What is known of some listings before stocks are added. */
export type KnownStocks = {
  /** The owner's stocks of these listings: of each the live one, and the one in the trash that was deleted last. */
  readonly rows: readonly StockRow[];
  /** How many live stocks the owner has in all. */
  readonly liveCount: number;
  /** How many are in the trash. */
  readonly trashCount: number;
};

/** What makes a live stock unique among its owner's. */
export type Listing = { readonly symbol: string; readonly exchange?: string | null | undefined };

/** Reads in one round trip what an addition, a rename or a restore needs to know. */
export const findKnownStocks = async (
  db: Db,
  owner: OwnerEmail,
  listings: readonly Listing[],
): Promise<KnownStocks> => {
  const pairs = JSON.stringify(listings.map(({ symbol, exchange }) => [symbol, exchange ?? ""]));
  const [rows, counts] = await db.batch([
    db
      .select()
      .from(stocks)
      .where(
        inArray(
          stocks.id,
          sql`(SELECT id FROM (SELECT id,
            row_number() OVER (PARTITION BY symbol, exchange, deleted_at IS NULL ORDER BY deleted_at DESC) AS nth FROM stocks
            WHERE owner_email = ${owner} AND (symbol, coalesce(exchange, '')) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${pairs}))
          ) WHERE nth = 1)`,
        ),
      ),
    db
      .select({ all: count(), trash: count(stocks.deletedAt) })
      .from(stocks)
      .where(eq(stocks.ownerEmail, owner)),
  ]);
  const { all, trash } = counts[0] ?? { all: 0, trash: 0 };
  return { rows, liveCount: all - trash, trashCount: trash };
};

/** How many live stocks the owner has. */
export const countLiveStocks = (db: Db, owner: OwnerEmail): Promise<number> =>
  db.$count(stocks, and(eq(stocks.ownerEmail, owner), isNull(stocks.deletedAt)));

/** A list as one bound parameter: D1 accepts at most 100 in a statement. */
const valuesOfList = (list: readonly string[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(list)}))`;

/** The newest events of the owner's stock; with `afterVersion` only those since that version. */
export const findStockEvents = (
  db: Db,
  owner: OwnerEmail,
  stockId: StockId,
  { limit, afterVersion = 0 }: { readonly limit: number; readonly afterVersion?: number },
): Promise<StockEventRow[]> =>
  db
    .select()
    .from(stockEvents)
    .where(
      and(eq(stockEvents.ownerEmail, owner), eq(stockEvents.stockId, stockId), gt(stockEvents.version, afterVersion)),
    )
    .orderBy(desc(stockEvents.version))
    .limit(limit)
    .all();

/** How much earlier than the run a stock may seem to have been changed, in ms: clocks of different machines differ. */
const CLOCK_MARGIN_MS = 3_600_000;

const earliestAt = (sinceMs: number): string => new Date(sinceMs - CLOCK_MARGIN_MS).toISOString();

/**
 * The events that a run caused, and the events that undid them, by version. `sinceMs`: when the run was started. Reads only stocks that
 * were changed since then, because an index of events by run would cost another row for each change by an agent.
 */
export const findRunEvents = (db: Db, owner: OwnerEmail, runId: RunId, sinceMs: number): Promise<StockEventRow[]> =>
  db
    .select(getTableColumns(stockEvents))
    .from(stocks)
    // CROSS JOIN: SQLite then keeps this order, stocks first.
    .crossJoin(stockEvents)
    .where(
      and(
        eq(stocks.ownerEmail, owner),
        gte(stocks.updatedAt, earliestAt(sinceMs)),
        eq(stockEvents.ownerEmail, owner),
        eq(stockEvents.stockId, stocks.id),
        or(eq(stockEvents.runId, runId), eq(stockEvents.undoesRunId, runId)),
      ),
    )
    .orderBy(asc(stockEvents.version))
    .all();

/** Who changed a stock, and which run the change undid. */
export type StockAuthor = Pick<StockEventRow, "stockId" | "version" | "runId" | "undoesRunId">;

/** The authors of all changes to some stocks since `sinceMs`, and in the hour before it (`CLOCK_MARGIN_MS`), in no particular order. */
export const findAuthors = (
  db: Db,
  owner: OwnerEmail,
  ids: readonly StockId[],
  sinceMs: number,
): Promise<StockAuthor[]> => {
  const { stockId, version, runId, undoesRunId } = stockEvents;
  return db
    .select({ stockId, version, runId, undoesRunId })
    .from(stockEvents)
    .where(
      and(
        eq(stockEvents.ownerEmail, owner),
        inArray(stockId, valuesOfList(ids)),
        gte(stockEvents.at, earliestAt(sinceMs)),
      ),
    )
    .all();
};
