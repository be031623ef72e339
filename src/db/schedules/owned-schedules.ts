/** A person's schedules: listed, created and deleted. Each query names the owner. */
import { and, desc, eq, gt, ne, or } from "drizzle-orm";
import type { OwnerEmail } from "../../contract/ids.ts";
import { MAX_SCHEDULES } from "../../contract/schedules/schedule.ts";
import { filingStatements } from "../day-changes.ts";
import type { Db } from "../db.ts";
import { type FiledAnswer, isFiledFirst } from "../idempotency.ts";
import { type ScheduleRow, schedules } from "./schedule-tables.ts";

/** How long a schedule is kept after it is done, in ms: 30 days. */
export const DONE_KEPT_MS = 30 * 24 * 3_600_000;

/** Most schedules that are listed: the oldest that are done are left out. Creating another one keeps as many that are done. */
const MAX_LISTED = 200;

/** Most that are deleted at once: 18 MB, as a prompt takes 60 KB at most. Each creation adds one at most. */
const MAX_DELETED = 300;

/** The owner's schedules, oldest first. */
export const listOwnSchedules = async (db: Db, owner: OwnerEmail, nowMs: number): Promise<ScheduleRow[]> => {
  const rows = await db
    .select()
    .from(schedules)
    .where(
      and(
        eq(schedules.ownerEmail, owner),
        or(ne(schedules.state, "done"), gt(schedules.lastDueAtMs, nowMs - DONE_KEPT_MS)),
      ),
    )
    .orderBy(eq(schedules.state, "done"), desc(schedules.id))
    .limit(MAX_LISTED)
    .all();
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1));
};

/** One of the owner's schedules. */
export const findSchedule = (db: Db, owner: OwnerEmail, id: string): Promise<ScheduleRow | undefined> =>
  db
    .select()
    .from(schedules)
    .where(and(eq(schedules.ownerEmail, owner), eq(schedules.id, id)))
    .get();

/** What became of an insert. `lost`: another write came first under the same key, and nothing was changed. */
type InsertResult = "inserted" | "too_many" | "lost";

/**
 * Stores a new schedule and the answer under its key, in one transaction. A paused one that does the same is not counted by the limit.
 * Deletes what no list has room for: a schedule that could not start is done at once, so one person could fill everybody's database.
 */
export const insertSchedule = async (
  db: Db,
  row: ScheduleRow,
  filed: FiledAnswer | undefined,
  nowMs: number,
): Promise<InsertResult> => {
  const { $client: d1 } = db;
  const columns = [
    ...[row.id, row.ownerEmail, row.orgId, row.threadId, row.prompt, row.cron, row.once, row.timeZone],
    ...[row.dueAtMs, row.createdAtMs],
  ];
  try {
    await d1.batch([
      ...filingStatements(db, filed, nowMs),
      // A batch is rolled back by errors alone: over the limit the prompt is NULL, which its column refuses.
      d1
        .prepare(
          `INSERT INTO schedules (id, owner_email, org_id, thread_id, prompt, cron, once, time_zone, state, due_at_ms,
             claimed_until_ms, claimed_at_ms, claims, expired_in_a_row, created_at_ms)
           SELECT ?1, ?2, ?3, ?4, CASE
               WHEN (SELECT count(*) FROM schedules WHERE owner_email = ?2 AND state <> 'done')
                 - EXISTS (SELECT 1 FROM schedules WHERE owner_email = ?2 AND state = 'paused' AND thread_id = ?4
                     AND prompt = ?5 AND cron IS ?6 AND once IS ?7 AND time_zone = ?8) < ${MAX_SCHEDULES} THEN ?5
             END, ?6, ?7, ?8, 'active', ?9, 0, 0, 0, 0, ?10`,
        )
        .bind(...columns),
      d1
        .prepare(
          `DELETE FROM schedules WHERE id IN (SELECT id FROM schedules WHERE owner_email = ? AND state = 'done'
             ORDER BY id DESC LIMIT ${MAX_DELETED} OFFSET ${MAX_LISTED})`,
        )
        .bind(row.ownerEmail),
    ]);
    return "inserted";
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (message.includes("NOT NULL constraint failed: schedules.prompt")) return "too_many";
    if (isFiledFirst(error)) return "lost";
    throw error;
  }
};

/** Deletes one of the owner's schedules. False when another write came first under the same key; then nothing was changed. */
export const deleteOwnSchedule = async (
  db: Db,
  owner: OwnerEmail,
  id: string,
  filed: FiledAnswer | undefined,
  nowMs: number,
): Promise<boolean> => {
  try {
    await db.$client.batch([
      ...filingStatements(db, filed, nowMs),
      db.$client.prepare("DELETE FROM schedules WHERE owner_email = ? AND id = ?").bind(owner, id),
    ]);
    return true;
  } catch (error) {
    if (isFiledFirst(error)) return false;
    throw error;
  }
};
