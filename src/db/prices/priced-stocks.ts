/** An owner's stocks that take prices of a source. */
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Db } from "../db.ts";

/** A stock and its listing; null while none was found for it. */
export type PricedStock = { readonly id: string; readonly symbol: string; readonly instrumentId: string | null };

/** The owner's live stocks that take prices: those with these ids, or all of them if `ids` is null. */
export const findPriced = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  ids: readonly string[] | null,
): Promise<PricedStock[]> => {
  const statement = d1.prepare(
    `SELECT id, symbol, instrument_id AS "instrumentId" FROM stocks
     WHERE owner_email = ?1 AND deleted_at IS NULL AND auto_price = 1
       AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2)))`,
  );
  return (await statement.bind(owner, ids === null ? null : JSON.stringify(ids)).all<PricedStock>()).results;
};
