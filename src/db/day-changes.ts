/**
 * Counts what an owner's changes store in a day (UTC), in the batch that stores it: the events of stocks, and short answers under keys. One
 * row for each owner.
 */
import { dayOf } from "../contract/day.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { MAX_CHANGED_BYTES_A_DAY } from "../contract/stocks/day-limit.ts";
import type { Db } from "./db.ts";
import { answerStatements, type FiledAnswer } from "./idempotency.ts";
import type { StockEventRow } from "./stock-tables.ts";
import { SHORT_ANSWER_BYTES } from "./turn-tables.ts";

/** What an event or an answer takes beside its values, in bytes: ids, e-mail and time, and its entries in indexes. */
const ROW_BYTES = 500;

/**
 * What these events take, and a client's answer if it is short, in bytes. Longer answers have a limit of their own (`isFiledTooMuch`), and
 * the agent's calls come as slowly as its model.
 */
export const bytesOf = (events: readonly StockEventRow[], filed: FiledAnswer | undefined): number => {
  const texts = events.map(({ before, after }) => JSON.stringify([before, after]));
  const short = filed?.key.scope === "action" && byteLength(filed.response) <= SHORT_ANSWER_BYTES ? filed : undefined;
  if (short !== undefined) texts.push(short.key.key + short.response);
  return byteLength(texts.join("")) + texts.length * ROW_BYTES;
};

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Whether this many more bytes would exceed the day's limit. */
export const isDayFull = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  nowMs: number,
  bytes: number = ROW_BYTES,
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

/** The statements that store an answer under its key and count it. Without one there are none. */
export const filingStatements = (db: Db, filed: FiledAnswer | undefined, nowMs: number): D1PreparedStatement[] => {
  if (filed === undefined) return [];
  const bytes = bytesOf([], filed);
  return [
    ...answerStatements(db, filed.key, filed.response, nowMs),
    ...(bytes > 0 ? [countChanges(db, filed.key.ownerEmail, nowMs, { bytes, isLimited: true })] : []),
  ];
};

const SUM = "excluded.bytes + CASE WHEN excluded.day > day THEN 0 ELSE bytes END";

// One request stores far less than the limit, so the first row of an owner is never past it.
const COUNT_CHANGES = `
  INSERT INTO day_changes (owner_email, day, bytes) VALUES (?1, ?2, ?3)
  ON CONFLICT (owner_email) DO UPDATE SET
    bytes = CASE WHEN ?4 IS NULL OR ${SUM} <= ?4 THEN ${SUM} END, day = max(day, excluded.day)`;

/** Whether a batch failed because of the limit. */
export const isOverDay = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("NOT NULL constraint failed: day_changes.bytes");
