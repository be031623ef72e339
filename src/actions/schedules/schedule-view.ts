/** A schedule as its owner sees it. */
import { RunId } from "../../contract/ids.ts";
import type { Schedule } from "../../contract/schedules/schedule.ts";
import type { ScheduleRow } from "../../db/schedules/schedule-tables.ts";

export const toSchedule = (row: ScheduleRow): Schedule => ({
  id: row.id,
  prompt: row.prompt,
  threadId: row.threadId,
  ...(row.cron === null ? {} : { cron: row.cron }),
  ...(row.once === null ? {} : { once: row.once }),
  timeZone: row.timeZone,
  nextAt: timeOf(row.dueAtMs),
  lastRunId: row.lastRunId === null ? null : RunId.parse(row.lastRunId),
  lastDueAt: timeOf(row.lastDueAtMs),
  lastStartedAt: timeOf(row.lastStartedAtMs),
  state: row.state,
  reason: row.reason,
  createdAt: new Date(row.createdAtMs).toISOString(),
});

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
