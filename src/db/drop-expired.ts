/** Drops what nobody can ask for any more: answers kept under idempotency keys, and the day's counters of long ago. */
import { dayOf } from "../contract/day.ts";
import type { Db } from "./db.ts";
import { KEY_TTL_MS } from "./start-conditions.ts";

/** Days whose counters are kept, so that an operator can look back. */
const KEPT_DAYS = 31;
const DAY_MS = 24 * 3_600_000;

/** Most rows of each that go at once: a statement of D1's has 30 s. The rest goes a minute later. */
const MAX_ROWS = 5_000;

/** One transaction, by indexes: nothing is read that stays. */
export const dropExpired = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  await d1.batch([
    d1
      .prepare(
        `DELETE FROM idempotency_keys WHERE rowid IN
           (SELECT rowid FROM idempotency_keys WHERE created_at_ms <= ? ORDER BY created_at_ms LIMIT ${MAX_ROWS})`,
      )
      .bind(nowMs - KEY_TTL_MS),
    d1
      .prepare(
        `DELETE FROM day_costs WHERE (day, owner_hash, id) IN
           (SELECT day, owner_hash, id FROM day_costs WHERE day < ? LIMIT ${MAX_ROWS})`,
      )
      .bind(dayOf(nowMs - KEPT_DAYS * DAY_MS)),
  ]);
};
