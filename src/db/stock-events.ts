/** The history of a stock, newest first. */
import { and, desc, eq, gt } from "drizzle-orm";
import type { OwnerEmail, StockId } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { type StockEventRow, stockEvents } from "./stock-tables.ts";

/** The newest events of the owner's stock; with `afterVersion` only what happened since that version. */
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
