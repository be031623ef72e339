/** Counts what the changes of an owner's stocks store in a day (UTC), in the batch that stores it: one row for each owner. */
import { dayOf } from "../contract/day.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { MAX_CHANGED_BYTES_A_DAY } from "../contract/stocks/day-limit.ts";
import type { Db } from "./db.ts";
import type { StockEventRow } from "./stock-tables.ts";

/** What an event takes beside the values before and after, in bytes: ids, e-mail and time, and its entries in three indexes. */
const EVENT_BYTES = 500;

/** What these events take, in bytes. */
export const bytesOf = (events: readonly StockEventRow[]): number => {
  const values = events.map(({ before, after }) => [before, after]);
  return new TextEncoder().encode(JSON.stringify(values)).length + events.length * EVENT_BYTES;
};

/** Whether this many more bytes would exceed the day's limit. */
export const isDayFull = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  nowMs: number,
  bytes: number = EVENT_BYTES,
): Promise<boolean> => {
  const counted = await d1
    .prepare("SELECT bytes FROM day_changes WHERE owner_email = ? AND day >= ?")
    .bind(owner, dayOf(nowMs))
    .first<number>("bytes");
  return (counted ?? 0) + bytes > MAX_CHANGED_BYTES_A_DAY;
};

/**
 * The statement that counts bytes, for the batch that stores them. Past the limit the sum is NULL, which the column refuses, and the
 * whole batch fails. Without `isLimited` it counts and never fails. A clock that lags behind midnight counts into the new day.
 */
export const countChanges = (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  nowMs: number,
  { bytes, isLimited }: { readonly bytes: number; readonly isLimited: boolean },
): D1PreparedStatement =>
  d1.prepare(COUNT_CHANGES).bind(owner, dayOf(nowMs), bytes, isLimited ? MAX_CHANGED_BYTES_A_DAY : null);

const SUM = "excluded.bytes + CASE WHEN excluded.day > day THEN 0 ELSE bytes END";

// One request stores far less than the limit, so the first row of an owner is never past it.
const COUNT_CHANGES = `
  INSERT INTO day_changes (owner_email, day, bytes) VALUES (?1, ?2, ?3)
  ON CONFLICT (owner_email) DO UPDATE SET
    bytes = CASE WHEN ?4 IS NULL OR ${SUM} <= ?4 THEN ${SUM} END, day = max(day, excluded.day)`;

/** Whether a batch failed because of the limit. */
export const isOverDay = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("NOT NULL constraint failed: day_changes.bytes");
