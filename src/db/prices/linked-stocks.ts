/** An owner's stocks that take their prices from a listing. */
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Db } from "../db.ts";

/** A stock and its listing. */
export type LinkedStock = { readonly id: string; readonly symbol: string; readonly instrumentId: string };

/** Those of the ids, or all of the owner's; live ones that take prices. */
export const findLinked = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  ids: readonly string[] | undefined,
): Promise<LinkedStock[]> => {
  const statement = d1.prepare(
    `SELECT id, symbol, instrument_id AS "instrumentId" FROM stocks
     WHERE owner_email = ?1 AND instrument_id IS NOT NULL AND deleted_at IS NULL AND auto_price = 1
       AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2)))`,
  );
  const { results } = await statement.bind(owner, ids === undefined ? null : JSON.stringify(ids)).all<LinkedStock>();
  return results;
};
