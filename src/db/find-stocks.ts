/** Look-ups of single stocks. The owner is in every `where`: another person's stock is no row at all. */
import { and, count, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { OwnerEmail, StockId } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { type StockRow, stocks } from "./stock-tables.ts";

/** The owner's stock, live or in the trash. */
export const findStock = (db: Db, owner: OwnerEmail, id: StockId): Promise<StockRow | undefined> =>
  db
    .select()
    .from(stocks)
    .where(and(eq(stocks.ownerEmail, owner), eq(stocks.id, id)))
    .get();

/** Those of the ids that are the owner's, live or in the trash, in no order. */
export const findStocks = (db: Db, owner: OwnerEmail, ids: readonly StockId[]): Promise<StockRow[]> =>
  db
    .select()
    .from(stocks)
    // The `+` keeps SQLite from reading all of the owner's list by its index instead of these by their ids.
    .where(and(sql`+${stocks.ownerEmail} = ${owner}`, inArray(stocks.id, valuesOfList(ids))))
    .all();

/** The owner's live stocks of a symbol, by exchange. An `exchange` narrows them to one; null means on none. */
export const findListings = (
  db: Db,
  owner: OwnerEmail,
  symbol: string,
  exchange: string | null | undefined,
): Promise<StockRow[]> =>
  db
    .select()
    .from(stocks)
    .where(
      and(
        eq(stocks.ownerEmail, owner),
        eq(stocks.symbol, symbol),
        isNull(stocks.deletedAt),
        exchange === undefined ? undefined : sql`${stocks.exchange} IS ${exchange}`,
      ),
    )
    .orderBy(stocks.exchange)
    .all();

/** What is known of some symbols before stocks are added. */
export type KnownStocks = {
  /** The owner's stocks of these symbols: live ones, and those in the trash, the newest deleted first. */
  readonly rows: readonly StockRow[];
  /** How many live stocks the owner has in all. */
  readonly liveCount: number;
};

/** Reads in one round trip what an addition, a rename or a restore has to know. */
export const findKnownStocks = async (db: Db, owner: OwnerEmail, symbols: readonly string[]): Promise<KnownStocks> => {
  const [rows, counts] = await db.batch([
    db
      .select()
      .from(stocks)
      .where(and(eq(stocks.ownerEmail, owner), inArray(stocks.symbol, valuesOfList(symbols))))
      .orderBy(desc(stocks.deletedAt)),
    db.select({ live: count() }).from(stocks).where(isLive(owner)),
  ]);
  return { rows, liveCount: counts[0]?.live ?? 0 };
};

/** How many live stocks the owner has. */
export const countLiveStocks = (db: Db, owner: OwnerEmail): Promise<number> => db.$count(stocks, isLive(owner));

const isLive = (owner: OwnerEmail) => and(eq(stocks.ownerEmail, owner), isNull(stocks.deletedAt));

/** A list as one bound parameter: D1 takes at most 100 in a statement. */
const valuesOfList = (list: readonly string[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(list)}))`;
