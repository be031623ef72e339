/** The table of schedules. A row is the truth about a schedule: when it is due, and what became of its last occurrence. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Schedule } from "../../contract/schedules/schedule.ts";

/** One of `cron` and `once` is set. Times are in epoch ms. */
export const schedules = sqliteTable(
  "schedules",
  {
    id: text("id").primaryKey(),
    ownerEmail: text("owner_email").$type<OwnerEmail>().notNull(),
    orgId: text("org_id"),
    threadId: text("thread_id").notNull(),
    prompt: text("prompt").notNull(),
    cron: text("cron"),
    once: text("once"),
    timeZone: text("time_zone").notNull(),
    state: text("state").$type<Schedule["state"]>().notNull(),
    reason: text("reason"),
    /** When it is due next; null when it is paused or done. Together with the id, it identifies the occurrence. */
    dueAtMs: integer("due_at_ms"),
    /** Until then nobody else tries to start this occurrence. */
    claimedUntilMs: integer("claimed_until_ms").notNull(),
    /** When the schedule was last claimed, when this occurrence was first claimed, and how often. */
    claimedAtMs: integer("claimed_at_ms").notNull(),
    firstClaimedAtMs: integer("first_claimed_at_ms"),
    claims: integer("claims").notNull(),
    /** How many permission requests in a row nobody answered, as counted by runs that have ended. */
    expiredInARow: integer("expired_in_a_row").notNull(),
    lastRunId: text("last_run_id"),
    lastDueAtMs: integer("last_due_at_ms"),
    lastStartedAtMs: integer("last_started_at_ms"),
    /** The last run that reported its end, so that a report that is repeated counts once. */
    reportedRunId: text("reported_run_id"),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [
    index("schedules_owner").on(table.ownerEmail, table.id),
    index("schedules_due").on(table.dueAtMs, table.id).where(sql`${table.state} = 'active'`),
    index("schedules_claimed").on(table.claimedAtMs),
  ],
);

/** A row as drizzle reads it. */
export type ScheduleRow = typeof schedules.$inferSelect;
