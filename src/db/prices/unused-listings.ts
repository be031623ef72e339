/** Deletes listings that no stock takes prices from any more, with all that is known of their prices. */
import { DAY_MS } from "../../contract/day.ts";
import type { Db } from "../db.ts";
import { deleteSome } from "../deletion/delete-some.ts";

/** How long a listing is kept after its price was last asked for, in ms: 30 days, like stocks in the trash, which still use theirs. */
const KEPT_MS = 30 * DAY_MS;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Uses an index that holds nothing but linked stocks, read once for the statement. */
const IS_UNUSED = "instruments.id NOT IN (SELECT instrument_id FROM stocks WHERE instrument_id IS NOT NULL)";

/**
 * To be called each minute. In the first minute of each hour it deletes some of the unused listings. A stock that is being linked to such a
 * listing meanwhile counts as not linked, and the next look links it again.
 */
export const dropUnusedListings = async (db: Db, nowMs: number): Promise<void> => {
  if (nowMs % HOUR_MS >= MINUTE_MS) return;
  const which = `instruments.asked_at_ms <= ? AND ${IS_UNUSED}`;
  const isWithoutCloses = "NOT EXISTS (SELECT 1 FROM closes WHERE closes.instrument_id = instruments.id)";
  const values = [nowMs - KEPT_MS];
  // Closes first: otherwise deleting a listing would take any number of them along.
  await db.$client.batch([
    deleteSome(db, "closes", which, values, "instruments CROSS JOIN closes ON closes.instrument_id = instruments.id"),
    deleteSome(db, "instruments", `${which} AND ${isWithoutCloses}`, values),
  ]);
};
