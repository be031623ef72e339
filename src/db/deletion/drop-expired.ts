/** Deletes what is kept for a time only: answers under idempotency keys, schedules that are done, what a day has counted, and the trash. */
import { DAY_MS, dayOf, isFirstMinute } from "../../contract/day.ts";
import { IS_LOST_FORK } from "../branches/lost-forks.ts";
import type { Db } from "../db.ts";
import { KEY_LIFETIME_MS } from "../idempotency.ts";
import { DONE_KEPT_MS } from "../schedules/owned-schedules.ts";
import { deleteSome } from "./delete-some.ts";

/** Days whose counters are kept, so that an operator can look back. */
const KEPT_DAYS = 31;

/** Most counters deleted at once: a D1 statement is limited to 30 s. The rest follows a minute later. */
const MAX_ROWS = 5_000;

/**
 * Deletes in one transaction, by indexes. The only rows that it reads and keeps are keys of branches' copies that are still to be deleted
 * (`db/branches`), and schedules that are not done but were last claimed before the limit. `claimed_at_ms` is 0 until the first claim. In
 * the first minute of each hour it also reads the row that each owner has in `day_changes`, which has no index by day.
 */
export const dropExpired = async (db: Db, nowMs: number): Promise<void> => {
  const { $client: d1 } = db;
  // Yesterday's count still counts where a clock lags behind midnight.
  const oldChanges = d1
    .prepare(
      `DELETE FROM day_changes WHERE owner_email IN
         (SELECT owner_email FROM day_changes WHERE day < ? LIMIT ${MAX_ROWS})`,
    )
    .bind(dayOf(nowMs - DAY_MS));
  await d1.batch([
    deleteSome(db, "idempotency_keys", `created_at_ms <= ? AND NOT ${IS_LOST_FORK} ORDER BY created_at_ms`, [
      nowMs - KEY_LIFETIME_MS,
    ]),
    deleteSome(db, "schedules", "claimed_at_ms BETWEEN 1 AND ? AND state = 'done'", [nowMs - DONE_KEPT_MS]),
    d1
      .prepare(
        `DELETE FROM day_costs WHERE (day, owner_hash, id) IN
           (SELECT day, owner_hash, id FROM day_costs WHERE day < ? LIMIT ${MAX_ROWS})`,
      )
      .bind(dayOf(nowMs - KEPT_DAYS * DAY_MS)),
    ...(isFirstMinute(nowMs) ? [oldChanges] : []),
  ]);
};

/** How long the trash keeps a stock, in ms: 30 days. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Most stocks deleted at once: a D1 statement is limited to 30 s. The rest follows a minute later. */
const MAX_STOCKS = 500;

/** `CROSS JOIN` keeps the order: the other way round, everybody's events would be read. */
const WITH_THEIR_STOCKS = "stocks CROSS JOIN stock_events ON stock_events.stock_id = stocks.id";

/**
 * Removes stocks that have been in the trash long enough, and their histories before them, since deleting a stock would take a history
 * of any length along.
 */
export const purgeTrash = async (db: Db, nowMs: number): Promise<void> => {
  const { $client: d1 } = db;
  const before = new Date(nowMs - KEPT_MS).toISOString();
  await d1.batch([
    deleteSome(db, "stock_events", "deleted_at <= ?", [before], WITH_THEIR_STOCKS),
    d1
      .prepare(
        `DELETE FROM stocks WHERE id IN
           (SELECT id FROM stocks WHERE deleted_at <= ?
             AND NOT EXISTS (SELECT 1 FROM stock_events WHERE stock_id = stocks.id) LIMIT ${MAX_STOCKS})`,
      )
      .bind(before),
  ]);
};
