/**
 * Deletes listings that no stock takes prices from any more, with all that is known of their prices; and the years of closes of others that
 * nobody asks for, but for those that tell of a split (decision 0232).
 */
import { DAY_MS, isFirstMinute } from "../../contract/day.ts";
import type { Db } from "../db.ts";
import { deleteSome } from "../deletion/delete-some.ts";

/** How long a listing is kept after its price was last asked for, in ms: 30 days, like stocks in the trash, which still use theirs. */
const KEPT_MS = 30 * DAY_MS;

/** Uses an index that holds nothing but linked stocks, read once for the statement. */
const IS_UNUSED = "instruments.id NOT IN (SELECT instrument_id FROM stocks WHERE instrument_id IS NOT NULL)";

/** Whether the closes are of a year before the newest two, which tell of a split. The next look at the listing fetches them again. */
const ARE_OLD =
  "closes.year < (SELECT max(year) - 1 FROM closes AS newest WHERE newest.instrument_id = instruments.id)";

/**
 * To be called each minute. In the first minute of each hour it deletes some of the unused listings, and some of the old closes. A stock
 * that is being linked to such a listing meanwhile counts as not linked, and the next look links it again.
 */
export const dropUnusedListings = async (db: Db, nowMs: number): Promise<void> => {
  if (!isFirstMinute(nowMs)) return;
  const isUnasked = "instruments.asked_at_ms <= ?";
  const isWithoutCloses = "NOT EXISTS (SELECT 1 FROM closes WHERE closes.instrument_id = instruments.id)";
  const values = [nowMs - KEPT_MS];
  // Closes first: otherwise deleting a listing would take any number of them along.
  await db.$client.batch([
    deleteSome(
      db,
      "closes",
      `${isUnasked} AND (${IS_UNUSED} OR ${ARE_OLD})`,
      values,
      "instruments CROSS JOIN closes ON closes.instrument_id = instruments.id",
    ),
    deleteSome(db, "instruments", `${isUnasked} AND ${IS_UNUSED} AND ${isWithoutCloses}`, values),
  ]);
};
