/** A stock by an id out of an input. */
import { StockId } from "../contract/ids.ts";
import { findStock } from "../db/find-stocks.ts";
import type { StockRow } from "../db/stock-tables.ts";
import type { ActionContext } from "./define-action.ts";

/** The caller's stock, live or in the trash. Undefined for anything else, and for text that is no id at all (CONTRACT §1). */
export const findOwnStock = async ({ db, caller }: ActionContext, id: string): Promise<StockRow | undefined> => {
  const stockId = StockId.safeParse(id);
  return stockId.success ? findStock(db, caller.ownerEmail, stockId.data) : undefined;
};
